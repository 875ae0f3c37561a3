/** All errors and warnings, each with a permanent code; the only file with access to `console` and `NODE_ENV`. */
declare const process: { env: { NODE_ENV?: string } };

/** True outside production builds. Bundlers replace `process.env.NODE_ENV` and drop code for development. */
export const DEV: boolean = process.env.NODE_ENV !== 'production';

/** All codes; the meaning of a code never changes. */
export type Code =
  | 'S1'
  | 'S2'
  | 'S3'
  | 'S4'
  | 'S5'
  | 'S6'
  | 'S7'
  | 'S8'
  | 'S9'
  | 'S10'
  | 'S11'
  | 'S12'
  | 'S13'
  | 'S14'
  | 'S15'
  | 'S16'
  | 'S17'
  | 'S18'
  | 'S19'
  | 'S20'
  | 'S21'
  | 'S22'
  | 'S23'
  | 'S24'
  | 'S25'
  | 'S26'
  | 'E1'
  | 'E2'
  | 'E3'
  | 'E4'
  | 'E5'
  | 'E6'
  | 'E7'
  | 'E8'
  | 'E10'
  | 'E11'
  | 'E12'
  | 'E13'
  | 'E14'
  | 'E15'
  | 'E16'
  | 'E17'
  | 'E18'
  | 'R1'
  | 'R2'
  | 'R3'
  | 'R4'
  | 'R5'
  | 'R6'
  | 'R7'
  | 'R8'
  | 'R9'
  | 'R10'
  | 'R11'
  | 'R12'
  | 'R13'
  | 'R14'
  | 'R15'
  | 'R16'
  | 'R17'
  | 'R18'
  | 'F1'
  | 'F2'
  | 'F3'
  | 'F4'
  | 'F5'
  | 'T1'
  | 'T2'
  | 'T3'
  | 'T4'
  | 'A1'
  | 'A2'
  | 'A3'
  | 'A4'
  | 'A6'
  | 'A7'
  | 'A8'
  | 'A9'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'H4'
  | 'D1'
  | 'L1'
  | 'L2'
  | 'L3'
  | 'L4'
  | 'L5'
  | 'L6'
  | 'L7'
  | 'B1'
  | 'B2'
  | 'B3'
  | 'B4'
  | 'B5'
  | 'O1'
  | 'O2'
  | 'O3'
  | 'O4'
  | 'O5'
  | 'O6'
  | 'O7'
  | 'P1'
  | 'P2'
  | 'P3'
  | 'P4'
  | 'P5'
  | 'P6';

interface Entry {
  readonly why: string;
  readonly fix: string;
}

/*
 * The catalogue. The meaning of a code never changes, and no code is used again.
 *   S schema   E endpoint   R rest   F fetch   A adapter   T testing   H hydration   D devtools
 *   L streams   P persistence   O offline   B tabs
 * `{name}` stands for a parameter of that name, quoted and cut. docs/errors.md has an anchor per code.
 */
const catalogue: Readonly<Record<Code, Entry>> = {
  S1: {
    why: '{entity} has no primary key: pk() returned {value} for an object with the members {members}',
    fix: 'return a field of the response from pk(); describe an envelope in the schema, as in {article: Article}',
  },
  S2: {
    why: '{entity} expects an object, the response contains {value}',
    fix: 'compare the schema with the response of the server',
  },
  S3: {
    why: 'a list of {member} expects an array, the response contains {value}',
    fix: 'describe the envelope in the schema, as in {results: [Entity]}',
  },
  S4: {
    why: 'the schema of {owner} is undefined at {member}',
    fix: 'this is usually a circular import: assign the schema after both classes are defined',
  },
  S5: {
    why: 'the key {key} of entity {entity} is already used by {other}',
    fix: 'set a different static key on one of the two classes, or let one extend the other',
  },
  S6: {
    why: '{entity} with pk {pk} was rejected by validate(): {reason}',
    fix: 'correct the response or the check in validate()',
  },
  S7: {
    why: 'the decoder of {member} failed for {value}: {reason}',
    fix: 'correct the value, or make the decoder accept it',
  },
  S8: {
    why: 'the schema expects an object with the members {members}, the response contains {value}',
    fix: 'compare the schema with the response of the server',
  },
  S9: {
    why: '{args} contains no primary key of {schema}',
    fix: 'pass the primary key, or an object with the fields of the primary key',
  },
  S10: {
    why: 'the update function has no current value: nothing is stored for {args}',
    fix: 'pass a value instead of a function, or fetch the data first',
  },
  S11: {
    why: 'no schema of the union {union} matches {value}',
    fix: 'add a schema, or correct the schemaAttribute; the value is stored without normalization',
  },
  S12: {
    why: 'the schema of {owner} contains itself at {member}',
    fix: 'put an entity into the cycle: entities may contain each other',
  },
  S13: {
    why: 'createIfValid() or denormalize() of {entity} threw: {reason}',
    fix: 'return undefined for an invalid value; the entity is treated as incomplete',
  },
  S14: {
    why: 'the function that adds or moves members of {list} returned {value}',
    fix: 'return an array of the given members in their new order (for a map: an object of them)',
  },
  S15: {
    why: 'the Scalar {scalar} cannot store {value}: {reason}',
    fix: 'check that lens() returns text for these arguments and that the Scalar is bound to an entity',
  },
  S16: {
    why: 'the value to write as {schema} is {value}',
    fix: 'pass an object that matches the schema, or return one from the function; to delete, use a Delete schema',
  },
  S17: {
    why: '{owner} has an instance of {entity} as its schema at {member}',
    fix: 'pass the class itself, as in {data: Todo} or [Todo]',
  },
  S18: {
    why: 'the member {member} of {entity} is {value}, its default is a {type}',
    fix: 'name a decoder or an entity in static schema, as in {createdAt: Date, author: User}, or convert it in process()',
  },
  S19: {
    why: 'a Collection of {value} has no members',
    fix: 'pass a list or a map, as in new Collection([Todo]) or new Collection(new Values(Todo))',
  },
  S20: {
    why: 'the nested list {member} matches several lists ({paths}) and is stored separately',
    fix: 'use one Collection object for the member and for the endpoint that reads the same list',
  },
  S21: {
    why: 'the response of {endpoint} has several lists {list} of one identity, which are stored as one list',
    fix: 'return an identity for each of them from the option nestKey, or make the object around the list an entity',
  },
  S22: {
    why: 'the entity class with the fields {fields} has no name, so messages, devtools and stored data cannot name its table',
    fix: 'name the class, as in class Todo extends EntityMixin(Base) {}, or pass the option key',
  },
  S23: {
    why: 'a query with include or join reads rows that are not in a stored list, so that they have no related rows',
    fix: 'use All or Collection as the schema of the query, as in new Query(new All(Project), { include: … })',
  },
  S24: {
    why: '{member} is in the static relations of {entity}, and the class also has a field or a nested member of this name',
    fix: 'declare the member without a field, as in declare readonly {member}: …',
  },
  S25: {
    why: 'the join {name} starts from {source}, which is no join above it',
    fix: 'write the join {source} before {name} in the same query, or leave the source out to start from the rows of the query',
  },
  S26: {
    why: '{member} in the static relations of {entity} is required, or has a function that takes arguments',
    fix: 'write this relation in the include of a query',
  },
  E1: {
    why: 'an endpoint expects a function, got {value}',
    fix: 'pass the function that sends the request as the first argument',
  },
  E2: {
    why: 'the key {key} is used with the schemas {first} and {second}',
    fix: 'give one of the endpoints its own name or key()',
  },
  E3: {
    why: 'key() returned {value}',
    fix: 'return text from key() that is equal for equal requests',
  },
  E4: {
    why: 'a listener of {event} threw: {reason}',
    fix: 'correct the listener; the operation that emitted the event continues',
  },
  E5: {
    why: 'the optimistic update of {endpoint} failed: {reason}',
    fix: 'throw snapshot.abort if there is no optimistic value; the request was sent',
  },
  E6: {
    why: 'the server assigned no key to {pk}, so a request with this temporary key cannot be sent: {reason}',
    fix: 'send the request again after the creation has succeeded',
  },
  E7: {
    why: '{endpoint} is a mutation and cannot be read',
    fix: 'call controller.fetch in an event handler; if the endpoint only reads, set sideEffect: false',
  },
  E8: {
    why: 'the errorPolicy of {endpoint} threw: {reason}',
    fix: 'correct the policy; the default applies: soft without a status and from 500 up, else hard',
  },
  E10: {
    why: '{endpoint} is an endpoint, but a schema is expected',
    fix: 'read an endpoint with useSuspense, useDLE or useCache, write its response with controller.setResponse; useQuery, controller.get and controller.set take a schema',
  },
  E11: {
    why: '{option} is not an option, but {known} is',
    fix: 'use the other name; an endpoint class may declare members with names of its own',
  },
  E12: {
    why: '{option} is {value}, but {reason}',
    fix: 'import the value from signalbox; code that is not imported is not bundled',
  },
  E13: {
    why: '{endpoint} is a read, but useMutation expects a mutation',
    fix: 'read it with useSuspense or useDLE; if the endpoint changes data, set sideEffect: true',
  },
  E14: {
    why: 'an endpoint is expected, got {reason}',
    fix: 'pass an endpoint and its arguments, such as TodoResource.get, { id }; undefined is usually a circular import',
  },
  E15: {
    why: 'an endpoint of {fetch} has no name, so it shares its keys with all endpoints without a name',
    fix: 'pass a name or a key(), as in new Endpoint(fetchTodo, {name: "getTodo"})',
  },
  E16: {
    why: 'an argument contains a {argument}, which has no text and identifies no read without a {option}',
    fix: 'pass text, numbers or plain data, or set this option to a function that returns the identity of the arguments',
  },
  E17: {
    why: '{endpoint} reads its response as {content}, which has none of the data of its schema {schema}',
    fix: 'remove the option content or the schema, or turn the response into data in process()',
  },
  E18: {
    why: '{caller} got {value}: {reason}',
    fix: 'undefined is usually a circular import',
  },
  R1: {
    why: 'the path parameter {param} is {value}; the params are {params}',
    fix: 'pass an object with this member, or null instead of the parameters to skip the request',
  },
  R2: {
    why: 'the search parameter {param} is {value}',
    fix: 'pass text, a finite number or a date, flatten objects, or override searchToString()',
  },
  R3: {
    why: 'the path {path} is invalid at position {position}: {reason}',
    fix: 'use :name, :name?, :name(\\d+), :"a-name", {/:name}?, *rest, or escape the character with a backslash',
  },
  R4: {
    why: 'the path {path} has no parameter to remove',
    fix: 'end the path of a resource with its primary key, as in /users/:id',
  },
  R5: {
    why: 'the response has the type {type}, the schema expects JSON: {body}',
    fix: 'check the address (is the response an HTML page?), or set content',
  },
  R6: {
    why: 'the response is not valid JSON: {reason}: {body}',
    fix: 'correct the server, or set content to the type of the response',
  },
  R7: {
    why: 'the server responded with {status} {text}',
    fix: 'the error carries status, response and body',
  },
  R8: {
    why: 'no response: {reason}',
    fix: 'check the connection, the address and CORS; the error carries its cause',
  },
  R9: {
    why: 'the body cannot be serialized as JSON: {reason}',
    fix: 'pass plain data, a string, FormData, Blob, URLSearchParams, buffer or stream',
  },
  R10: {
    why: 'the path parameter {param} creates the segment {value}, which URLs resolve to another path',
    fix: 'reject this value, or send it as a search parameter: encoding does not help, because %2E is read as a dot',
  },
  R11: {
    why: 'the GraphQL response contains errors: {reason}',
    fix: 'correct the operation or its variables; the body of the error is the complete response',
  },
  R12: {
    why: 'the path becomes {path}, which names another host',
    fix: 'pass a value for the first segment, and end urlPrefix without a slash',
  },
  R13: {
    why: '{endpoint} was called with {field} {asked}, but the response contains {entity} {came}',
    fix: 'check the path and the server; if the server chooses the entity, remove the primary key from the path',
  },
  R14: {
    why: 'the response to {endpoint} has no {expected}, but {found}',
    fix: 'compare the schema with the response: a list that is missing reads as an empty list',
  },
  R15: {
    why: 'the endpoint has no {member}: {reason}',
    fix: 'declare the list as new Collection([Entity]), also inside an envelope; getPage needs a paginationField',
  },
  R16: {
    why: 'the header Content-Type {type} of {endpoint} does not describe its {body} and is not sent',
    fix: 'remove the header: the library sends JSON with its type, and fetch sets the type of all other bodies',
  },
  R17: {
    why: '{member}() returned {value}',
    fix: 'return the changed headers or init; await before a spread: {...(await super.getRequestInit(body)), credentials}',
  },
  R18: {
    why: 'a value of {param} would become a part of the host, because {host} has no path',
    fix: 'begin the path with a slash, as in /:id',
  },
  F1: {
    why: '{key} was fetched {times} times in {ms} ms without readable data: {reason}',
    fix: 'remove the cause; the key is refetched when the error expires',
  },
  F2: {
    why: 'the response does not contain the data of {key}: {reason}',
    fix: 'compare the schema and the primary key with the response',
  },
  F3: {
    why: 'the store was reset before the response arrived',
    fix: 'ignore ResetError where a reset, as on logout, is expected',
  },
  F4: {
    why: 'no response within {ms} ms',
    fix: 'increase the timeout of the endpoint, or find out why the server is slow',
  },
  F5: {
    why: 'the transaction has already ended',
    fix: 'await each call inside the transaction, or call the controller instead',
  },
  T1: {
    why: 'no fixture matches {args}',
    fix: 'add a fixture for this endpoint; without args, a fixture matches all calls',
  },
  T2: {
    why: 'the check failed in order {order} of the responses: {reason}',
    fix: 'the lines below list the requests and responses in this order',
  },
  T3: {
    why: 'the responses to these requests can arrive in more than {limit} orders',
    fix: 'start fewer requests, or raise the limit',
  },
  T4: {
    why: 'createHandlers cannot serve {member}: {reason}',
    fix: 'see "A server made from a resource" in docs/testing.md for the options',
  },
  A1: {
    why: '{hook} was called outside a Provider',
    fix: 'wrap the application in <Provider controller={new Controller()}>',
  },
  A2: {
    why: '{hook} expects an entity of this controller, got {value}',
    fix: 'pass an entity returned by a hook or the controller',
  },
  A3: {
    why: 'a Provider was rendered {times} times but never mounted: a component below it suspends without a Suspense boundary',
    fix: 'put a <Suspense> below the Provider, or pass it a controller created outside',
  },
  A4: {
    why: '{by} uses another copy of @preact/signals-core than signalbox and cannot track its signals',
    fix: 'install one version, and make the bundler use one of its builds (npm ls @preact/signals-core)',
  },
  A6: {
    why: 'the component For cannot choose a list in {value}',
    fix: 'pass an endpoint whose schema contains one list, or select a list: select={({ results }) => results}',
  },
  A7: {
    why: 'a controller is expected, got {value}',
    fix: 'pass the controller of the Provider (useController()), created by the same copy of signalbox',
  },
  A8: {
    why: 'a hook or component of signalbox was used in a React server component',
    fix: 'add the directive "use client" to the module; on the server use controller.fetch and dehydrate',
  },
  A9: {
    why: 'a computed signal that read the data of former arguments keeps {kept}, but its function returns {now} now',
    fix: 'write useMemo(() => computed(…), [data]), or compute from the signal of useQuery: useComputed calls its function only when a signal changes that it has read',
  },
  H1: {
    why: 'a {type} cannot be serialized for hydration: {value}',
    fix: 'remove functions, symbols, bytes and cyclic values from the data; the client reads undefined instead',
  },
  H2: {
    why: 'the hydration payload was not created by dehydrate() of this version: {reason}: {value}',
    fix: 'pass the parsed payload of the same version; this payload is ignored, and the page fetches its data',
  },
  H3: {
    why: 'the server data of {key} do not match this client: {reason}',
    fix: 'serve the page and its data from one version of the application; the data are dropped and refetched',
  },
  H4: {
    why: 'the streamed HTML is malformed inside {place}: browsers may parse the rest differently',
    fix: 'close each open element there; no more data are streamed, and the page fetches the rest',
  },
  D1: {
    why: 'the panel cannot be mounted in {target}',
    fix: 'pass an element or a shadow root of a document with a window; the default is the body',
  },
  L1: {
    why: 'a message of {stream} ({type}) cannot be parsed: {reason}: {value}',
    fix: 'correct the server, or pass a parse() for it; to skip a message, return undefined from parse()',
  },
  L2: {
    why: 'a message of {stream} ({type}) was rejected: {reason}',
    fix: 'correct the message, the schema or receive(); the message did not change the store',
  },
  L3: {
    why: '{stream} cannot be opened: {reason}',
    fix: 'check the address, the function that returns it, and onOpen(); if the platform has no such class, pass one as an option',
  },
  L4: {
    why: 'a callback of {stream} failed: {reason}',
    fix: 'correct catchUp() or shouldReconnect(); changes may have been missed',
  },
  L5: {
    why: 'catchUp contains {value}, which has no reads',
    fix: 'pass endpoints or resources, a function, or false if no message can be missed',
  },
  L6: {
    why: 'the server closed {stream} with {code} {reason}: it is not reopened',
    fix: 'return true from shouldReconnect() to reconnect after this code',
  },
  L7: {
    why: '{stream} cannot be shared between tabs: it has no {missing}',
    fix: 'call connectTabs first; if the address is a function, give the stream the same name in all tabs',
  },
  B1: {
    why: '{schema} has no name, so its data cannot be sent to other tabs',
    fix: 'add it, or the resource that it belongs to, to the names of connectTabs',
  },
  B2: {
    why: 'the data of {schema} cannot be cloned for other tabs: {reason}',
    fix: 'store plain data; in other tabs the result counts as expired',
  },
  B3: {
    why: 'a commit of another tab does not match this tab and is ignored: {reason}',
    fix: 'pass a version to connectTabs, so that tabs of different versions are not connected',
  },
  B4: {
    why: 'another tab uses the name {name}, which is unknown here: its data are ignored',
    fix: 'pass the same names in all tabs, and change the version with the names',
  },
  B5: {
    why: 'names of connectTabs is {value}',
    fix: 'pass an object of resources, endpoints or schemas, as in {names: {todo: TodoResource}}',
  },
  O1: {
    why: 'a mutation of the log {log} was dropped: {reason}',
    fix: 'listen to the drop event of the queue to inform the user; no other code may write to this database',
  },
  O2: {
    why: 'the mutation log cannot store {endpoint}: {reason}',
    fix: 'pass arguments that structuredClone accepts; if the disk fails, the mutation is sent once, without the log',
  },
  O3: {
    why: 'the mutation {name} stays in the log unsent: this build does not know its {reason}',
    fix: 'restore the old name of the endpoint, or pass a migrate() that knows the version',
  },
  O4: {
    why: '{endpoint}, issued by another page, failed and is rolled back: {reason}',
    fix: 'listen to the error event of the controller to inform the user',
  },
  O5: {
    why: 'the mutation was removed from the log before its response arrived',
    fix: 'ignore this error if the user or another page has discarded the mutation',
  },
  O6: {
    why: 'a function passed to offline() failed, and the mutation waits: {hook}: {reason}',
    fix: 'return "keep", "drop" or { args } from onConflict, and a boolean from hold',
  },
  O7: {
    why: '{count} records of the log {log} cannot be decoded and stay there unsent: {reason}',
    fix: 'pass offline() the transform and the key with which they were logged; reset() removes them',
  },
  P1: {
    why: 'the persisted data have version {found} instead of {expected} and are dropped',
    fix: 'expected after a change of the version; otherwise use one version on all pages of the origin',
  },
  P2: {
    why: '{record} cannot be persisted or restored and is dropped: {reason}',
    fix: 'the data are refetched; after a change of the schema, pass persist() another version',
  },
  P3: {
    why: 'a {doing} of persisted data failed: {reason}',
    fix: 'the page continues without persistence; in private windows and on full disks this is expected',
  },
  P4: {
    why: 'responses with the schema {schema} are not persisted, because of {part}: {reason}',
    fix: 'add the resource or class to names, or exclude the endpoint in include()',
  },
  P5: {
    why: 'names contains {value} for {name}',
    fix: 'pass a resource, an endpoint, a schema, or an object of these; undefined is usually a circular import',
  },
  P6: {
    why: 'the database {name} was cleared by another page or the user, or has another version: this page stops writing',
    fix: 'reset the controller when the user logs out in another tab (connectTabs does), or reload the page',
  },
};

export const codes: readonly Code[] = /* @__PURE__ */ Object.keys(catalogue) as Code[];
export type MessageParameters = Readonly<Record<string, unknown>>;

/** Details of an error beside the message. `status` follows HTTP if there was no response with a status. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly endpoint?: string | undefined;
  readonly key?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The base of all errors of this library.
 * `code` is permanent; `status` is an HTTP status (400: the data were bad), `endpoint` and `key` identify the request.
 */
export class SignalboxError extends Error {
  override name = 'SignalboxError';
  readonly code: Code;
  declare readonly status?: number;
  declare readonly endpoint?: string;
  declare readonly key?: string;

  constructor(code: Code, parameters: MessageParameters, circumstance: ErrorDetails = {}) {
    super(formatMessage(code, parameters, circumstance.endpoint));
    this.code = code;
    for (const [name, value] of Object.entries(circumstance)) {
      // assigned only if known, so that `'status' in error` is reliable
      if (value !== undefined) Reflect.set(this, name, value);
    }
  }
}

/** Rejects the callers of a request that `controller.reset()` has cancelled. */
export class ResetError extends SignalboxError {
  override name = 'ResetError';
  constructor(circumstance: ErrorDetails) {
    super('F3', {}, circumstance);
  }
}

/** An attempt that the `timeout` ended. Without a status, like every request without a response: the error is soft. */
export class TimeoutError extends SignalboxError {
  override name = 'TimeoutError';
  constructor(ms: number, circumstance: ErrorDetails) {
    super('F4', { ms }, circumstance);
  }
}

const warned = new Set<string>();

/**
 * Reports an error of user code that no caller can handle: as an uncaught exception (WHATWG HTML, report an exception).
 * Platforms without `reportError` exit at an uncaught error. A server must not exit because of a single reader: there
 * the error is printed.
 */
export function reportException(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else console.error(error);
}

/** Prints a diagnostic once per code and subject, in development only. */
export function warn(code: Code, subject: string, parameters: MessageParameters): void {
  if (process.env.NODE_ENV !== 'production' && !warned.has(code + subject)) {
    warned.add(code + subject);
    console.warn(formatMessage(code, parameters));
  }
}

/** Throws E18 unless `isRight`, in development only. `takes`: the values that the caller takes. */
export function checkArgument(
  isRight: boolean,
  caller: string,
  value: unknown,
  takes: string,
): void {
  // a block, as in `formatMessage`, so that production builds drop the check
  if (process.env.NODE_ENV !== 'production') {
    const reason = `it takes ${takes}`;
    if (!isRight) throw new SignalboxError('E18', { caller, value, reason }, { status: 400 });
  }
}

/** As `checkArgument`: throws E18 unless the value is an object. */
export function checkObject(caller: string, value: unknown, takes: string): void {
  checkArgument(typeof value === 'object' && value !== null, caller, value, takes);
}

/** Throws E18 for an event that does not exist, and for a listener that is no function. `events`: all events. */
export function checkListener(
  caller: string,
  event: string,
  listener: unknown,
  events: string,
): void {
  checkArgument(events.split(' ').includes(event), caller, event, `one of ${events}`);
  checkArgument(typeof listener === 'function', caller, listener, 'a function for the event');
}

/**
 * Throws E18 for options that are no object, and for text in the place of a number, and warns (E11) of each option that
 * neither exists nor is a member of the class, if an existing option is a typing error away. In development only.
 */
export function checkOptions(options: object, prototype: object, names: string = OPTIONS): void {
  // a block, as in `formatMessage`, so that production builds drop the checks
  if (process.env.NODE_ENV !== 'production') {
    // the defaults of a class may have a field of this name
    const Class: unknown = prototype.constructor;
    const caller = typeof Class === 'function' ? `new ${Class.name}` : 'a class';
    checkObject(caller, options, 'an object of options');
    const known = names.split(' ');
    for (const [option, value] of Object.entries(options) as [string, unknown][]) {
      if (option in prototype) continue;
      const isText = typeof value === 'string' && names === OPTIONS && NUMERIC_OPTIONS.test(option);
      checkArgument(!isText, option, value, 'a number');
      if (known.includes(option)) continue;
      const near = FORMER_OPTIONS[option] ?? known.find((name) => isMisspelling(option, name));
      if (near !== undefined) warn('E11', option, { option, known: near });
    }
  }
}

// without short names: too many other words are similar to these
const OPTIONS =
  'schema method sideEffect searchParams body dataExpiryLength errorExpiryLength invalidIfStale errorPolicy ' +
  'pollFrequency keepPreviousData retry timeout refetchOnFocus refetchOnReconnect returnPartialData revalidateLists ' +
  'moveRows testKey sweepAfter surroundings argsKey nestKey nonFilterArgumentKeys createCollectionFilter ' +
  'getOptimisticResponse update signal urlPrefix content itemPath getHeaders getRequestInit fetchResponse ' +
  'parseResponse searchToString process paginationField optimistic Collection Endpoint';

const NUMERIC_OPTIONS = /^(dataExpiryLength|errorExpiryLength|pollFrequency|timeout|sweepAfter)$/;

/** Options of older versions of Rest Hooks, and their present names. */
const FORMER_OPTIONS: Readonly<Record<string, string>> = {
  requestInit: 'getRequestInit',
  fetchInit: 'getRequestInit',
  getFetchInit: 'getRequestInit',
  getFetchKey: 'key',
};

/** True if a single letter is missing, added or different, or two neighboring letters are swapped. */
function isMisspelling(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const shorter = Math.min(one.length, other.length) - start;
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one, other].map((text) => text.slice(start, text.length - end));
  if (left === undefined || right === undefined) return false;
  return (
    (left.length < 2 && right.length < 2) || (left.length === 2 && `${left[1]}${left[0]}` === right)
  );
}

function formatMessage(code: Code, parameters: MessageParameters, endpoint?: string): string {
  const where = endpoint === undefined ? '' : `${endpoint}: `;
  // written out, not DEV, and in a block: bundlers detect that a production build needs no catalogue
  if (process.env.NODE_ENV !== 'production') {
    const { why, fix } = catalogue[code];
    return `[signalbox ${code}] ${where}${fill(why, parameters)}; ${fix}`;
  }
  return `[signalbox ${code}] ${where}${toShortText(parameters, 200)}`;
}

function fill(text: string, parameters: MessageParameters): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    name in parameters ? formatParameter(name, parameters[name]) : placeholder,
  );
}

/** A reason is a sentence and is not quoted; every other parameter is a value. */
function formatParameter(name: string, value: unknown): string {
  if (name !== 'reason') return toShortText(value, 80);
  const text = typeof value === 'string' ? value : formatValue(value);
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

/** Any value as a single line, cut to `length` characters, without running much code of the value. */
export function toShortText(value: unknown, length: number): string {
  const text = formatValue(value);
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function formatValue(value: unknown): string {
  if (typeof value === 'function') return value.name || 'a function';
  if (typeof value !== 'object' && typeof value !== 'string') return String(value);
  if (value instanceof Error) return value.message;
  if (Array.isArray(value) && value.length > 20) return `an array of ${value.length}`;
  try {
    return JSON.stringify(value) ?? Object.prototype.toString.call(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/**
 * An error for readers: a NetworkError, another error of this library, or what a function of the application
 * threw. `status`: of the response, 500 if none came, undefined after a timeout and for errors without a status.
 */
export interface UnknownError extends Error {
  readonly status?: number | undefined;
  readonly code?: unknown;
  readonly response?: unknown;
}
