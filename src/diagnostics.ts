/** All errors and warnings, each with a permanent code; the only file with access to `console` and `NODE_ENV`. */
declare const process: { env: { NODE_ENV?: string } };

/** True outside production builds. Bundlers replace `process.env.NODE_ENV` and drop code that depends on it. */
export const DEV: boolean = process.env.NODE_ENV !== 'production';

/** All codes; a code never changes its meaning. */
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
  | 'S20'
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
  | 'R15'
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
 * The catalogue. A code never changes its meaning and is never used again.
 *   S schema   E endpoint   R rest   F fetch   A adapter   T testing   H hydration   D devtools
 *   L streams   P persistence   O offline   B tabs
 * `{name}` stands for a parameter of that name, quoted and cut. docs/errors.md has one anchor per code.
 */
const catalogue: Readonly<Record<Code, Entry>> = {
  S1: {
    why: '{entity} has no primary key: pk() gave {value} for an object with the members {members}',
    fix: 'let pk() return a member that the response has; describe an envelope in the schema, as in {article: Article}',
  },
  S2: {
    why: '{entity} expects an object, the response has {value}',
    fix: 'check the schema against what the server sends',
  },
  S3: {
    why: 'a list of {member} expects an array, the response has {value}',
    fix: 'describe the envelope in the schema, as in {results: [Entity]}',
  },
  S4: {
    why: 'the schema of {owner} is undefined at {member}',
    fix: 'a circular import runs too early: assign the schema after both classes are defined',
  },
  S5: {
    why: 'the key {key} of entity {entity} is already used by {other}',
    fix: 'give one of the two classes a static key of its own, or let it extend the other',
  },
  S6: {
    why: '{entity} with pk {pk} was rejected by validate(): {reason}',
    fix: 'correct the server, or what validate() demands',
  },
  S7: {
    why: 'the decoder of {member} could not read {value}: {reason}',
    fix: 'correct the value, or let the decoder accept it',
  },
  S8: {
    why: 'an object with the members {members} was expected, the response has {value}',
    fix: 'check the schema against what the server sends',
  },
  S9: {
    why: '{schema} cannot be found by {args}',
    fix: 'give an object that holds the fields of the primary key, or the primary key itself',
  },
  S10: {
    why: 'nothing is stored under {args}, so there is nothing to update',
    fix: 'pass a value instead of a function, or fetch it first',
  },
  S11: {
    why: 'no schema of the union {union} fits {value}',
    fix: 'add its schema, or check what tells them apart; the value is kept as it came',
  },
  S12: {
    why: 'the schema of {owner} contains itself at {member}',
    fix: 'let an entity stand between: entities may contain each other',
  },
  S13: {
    why: 'createIfValid() or denormalize() of {entity} threw: {reason}',
    fix: 'give undefined for what is not valid; the entity counts as not whole',
  },
  S14: {
    why: 'the function that puts members into {list} gave {value}',
    fix: 'give an array of the members it was given, in their new order (a map: an object of them)',
  },
  S15: {
    why: 'the Scalar {scalar} cannot store {value}: {reason}',
    fix: 'see that lens() gives text for these arguments, and that the Scalar is bound to an entity',
  },
  S16: {
    why: 'the value to write as {schema} is {value}',
    fix: 'give an object that holds what the schema describes, or return one from the function; a Delete schema deletes',
  },
  S20: {
    why: 'the nested list {member} could be one of those at {paths}: it is kept apart',
    fix: 'give the member, and the endpoint that reads the same list, one Collection object',
  },
  E1: {
    why: 'an endpoint needs a function, got {value}',
    fix: 'pass the function that sends the request as the first argument',
  },
  E2: {
    why: 'the key {key} is asked with the schema {first} and with {second}',
    fix: 'give one of them a name or a key() of its own',
  },
  E3: {
    why: 'key() gave {value}',
    fix: 'let key() return text that is the same for the same request',
  },
  E4: {
    why: 'a listener to {event} threw: {reason}',
    fix: 'mend the listener; what it listened to went on',
  },
  E5: {
    why: 'the optimistic response of {endpoint} could not be shown: {reason}',
    fix: 'throw snapshot.abort where there is nothing to show; the request was sent',
  },
  E6: {
    why: '{pk} was never named by the server, so nothing can be asked about it: {reason}',
    fix: 'ask again when the creation has succeeded',
  },
  E7: {
    why: '{endpoint} is a mutation, and readers send none',
    fix: 'call controller.fetch where the user acts; an endpoint that only reads has sideEffect: false',
  },
  E8: {
    why: 'the errorPolicy for {endpoint} threw: {reason}',
    fix: 'mend it; the error is shown as without one: soft from status 500 up and without any, else hard',
  },
  E10: {
    why: '{endpoint} is an endpoint, where a schema is read',
    fix: 'read an endpoint with useSuspense, useDLE or useCache; useQuery and controller.get take a schema',
  },
  E11: {
    why: '{option} is no option, but {known} is',
    fix: 'correct the name, or declare a member of this name in a class of endpoints',
  },
  E12: {
    why: '{option} is {value}; it takes {expected}, which is imported',
    fix: 'import it from signalbox: an application that does not import it does not carry it',
  },
  E13: {
    why: '{endpoint} is a read, and useMutation sends mutations',
    fix: 'read it with useSuspense or useDLE; a mutation whose method does not say so has sideEffect: true',
  },
  R1: {
    why: 'path parameter {param} is {value}',
    fix: 'pass a value, or null instead of the parameters to skip the request',
  },
  R2: {
    why: 'search parameter {param} is {value}',
    fix: 'flatten objects, pass text, a finite number or a date, or give the endpoint a searchToString()',
  },
  R3: {
    why: 'the path {path} cannot be read at position {position}: {reason}',
    fix: 'use :name, :name?, :name(\\d+), :"a-name", {/:name}?, *rest, or escape the character with a backslash',
  },
  R4: {
    why: 'the path {path} has no argument to leave out',
    fix: 'a resource path ends in its primary key, as in /users/:id',
  },
  R5: {
    why: 'the answer is {type}, the schema expects JSON: {body}',
    fix: 'check the address (a page of the web server came back?), or set content',
  },
  R6: {
    why: 'the answer is not valid JSON: {reason}: {body}',
    fix: 'correct the server, or set content to what it sends',
  },
  R7: {
    why: 'the server answered {status} {text}',
    fix: 'the error carries status, response and body',
  },
  R8: {
    why: 'no answer: {reason}',
    fix: 'check the connection, the address and CORS; the error carries its cause',
  },
  R9: {
    why: 'the body cannot be written as JSON: {reason}',
    fix: 'send plain data, or pass a string, FormData, Blob, URLSearchParams, buffer or stream',
  },
  R10: {
    why: 'path parameter {param} makes the segment {value}, which URLs read as a step to another path',
    fix: 'no encoding can carry it (%2E is read as a dot): refuse this value, or send it as a search parameter',
  },
  R11: {
    why: 'the GraphQL server answered with errors: {reason}',
    fix: 'correct the operation or its variables; the error carries the whole answer as its body',
  },
  R12: {
    why: 'the path becomes {path}, which names another host',
    fix: 'give the first segment a value',
  },
  R13: {
    why: '{endpoint} was called with {field} {asked}, and the response is {entity} {came}',
    fix: 'check the path and the server; where the server chooses the entity, use a path without the primary key',
  },
  R15: {
    why: 'there is no {member}: {reason}',
    fix: 'describe the list as new Collection([Entity]), also inside of an envelope; getPage needs a paginationField',
  },
  F1: {
    why: '{key} was fetched {times} times in {ms} ms and never became readable: {reason}',
    fix: 'remove the cause; the key is asked again when the error expires',
  },
  F2: {
    why: 'the answer came, but what {key} describes is not in it: {reason}',
    fix: 'check that the schema and the primary key match the answer',
  },
  F3: {
    why: 'the store was reset while this request was in flight',
    fix: 'catch ResetError where a log out may cross a request',
  },
  F4: {
    why: 'no answer within {ms} ms',
    fix: 'give the endpoint a longer timeout, or find out what keeps the server',
  },
  F5: {
    why: 'the transaction has ended, so this can be no step of it',
    fix: 'await every step inside of it, or use the verbs of the controller',
  },
  T1: {
    why: 'no fixture answers {args}',
    fix: 'add one for this endpoint, without args if it is to answer all',
  },
  T2: {
    why: 'the check fails in order {order} of the answers: {reason}',
    fix: 'the lines below say what was sent and answered, one after the other',
  },
  T3: {
    why: 'these requests can be answered in more than {limit} orders',
    fix: 'start fewer of them, or raise the limit',
  },
  T4: {
    why: 'createHandlers cannot serve {member}: {reason}',
    fix: 'see "A server made from a resource" in docs/testing.md for what can be told',
  },
  A1: {
    why: '{hook} was called outside of a Provider',
    fix: 'wrap the application in <Provider controller={new Controller()}>',
  },
  A2: {
    why: '{hook} needs an entity of this controller, got {value}',
    fix: 'pass an entity that a hook or the controller returned',
  },
  A3: {
    why: 'a Provider was begun {times} times and never mounted: what suspends below it has no Suspense boundary',
    fix: 'put a <Suspense> below the Provider, or give it a controller that was made outside of it',
  },
  A4: {
    why: '{by} has another copy of @preact/signals-core than signalbox: it sees none of its signals',
    fix: 'install one version of it, and let the bundler take one of its builds (npm ls @preact/signals-core)',
  },
  A6: {
    why: 'one list is to be rendered from {value}',
    fix: 'pass an endpoint whose schema is a list or holds one, or name the list: select={({ results }) => results}',
  },
  A7: {
    why: 'a controller was expected, got {value}',
    fix: 'pass the controller that the Provider has (useController()); it must come from the same copy of signalbox',
  },
  A8: {
    why: 'a hook or a component of signalbox was used where React has no state, context or effects: in a server component',
    fix: 'begin the module that uses it with the directive "use client"; on the server use controller.fetch and dehydrate',
  },
  H1: {
    why: 'a {type} cannot travel from a server to its page: {value}',
    fix: 'keep functions, symbols, bytes and cyclic values out of what requests resolve to; it arrives as undefined',
  },
  H2: {
    why: 'what was given for hydration is nothing that dehydrate() of this version makes: {reason}: {value}',
    fix: 'give what the server of the same version has sent, parsed; it was ignored, and the page fetches what it shows',
  },
  H3: {
    why: 'what the server has sent of {key} does not fit here: {reason}',
    fix: 'serve the page and its data from one version of the application; it was dropped, and is fetched',
  },
  H4: {
    why: 'the streamed HTML is malformed in {place}: browsers may read what follows in more than one way',
    fix: 'close each element that is open there; no more data are sent, and the page fetches what it shows',
  },
  D1: {
    why: 'the panel cannot be put into {target}',
    fix: 'give an element or a shadow root of a page that is shown, or nothing: then it is the body',
  },
  L1: {
    why: 'a message of {stream} ({type}) cannot be read: {reason}: {value}',
    fix: 'correct the server, or give a parse() that reads it; undefined passes it over',
  },
  L2: {
    why: 'a message of {stream} ({type}) was not received: {reason}',
    fix: 'correct what the server sends, the schema, or receive(); the store is as it was before it',
  },
  L3: {
    why: '{stream} cannot be opened: {reason}',
    fix: 'check its address, the function that gives it, and onOpen(); where the platform has no such class, give one as an option',
  },
  L4: {
    why: 'what {stream} was told to do failed: {reason}',
    fix: 'correct catchUp() or shouldReconnect(); changes may have been missed',
  },
  L5: {
    why: 'catchUp names {value}, which has no reads',
    fix: 'name endpoints or resources, give a function, or false where nothing is missed',
  },
  L6: {
    why: 'the server ended {stream} with {code} {reason}, and it stays closed',
    fix: 'say in shouldReconnect() which ends are to be followed by another attempt',
  },
  L7: {
    why: '{stream} cannot be shared by tabs: it has no {missing}',
    fix: 'call connectTabs before, and give a stream whose address is a function a name that is the same in all tabs',
  },
  B1: {
    why: '{schema} has no name, so other tabs cannot be told what was written with it',
    fix: 'put it, or the resource that it belongs to, into the names of connectTabs',
  },
  B2: {
    why: 'what was written under {schema} cannot be cloned for other tabs: {reason}',
    fix: 'write plain data; where other tabs show it, it counts as expired',
  },
  B3: {
    why: 'what another tab has committed does not fit here, and was left out: {reason}',
    fix: 'give connectTabs a version, so that tabs of different versions of the application do not meet',
  },
  B4: {
    why: 'another tab speaks of {name}, which has no name here; it was left out',
    fix: 'give all tabs the same names, and a version that changes with them',
  },
  B5: {
    why: 'the names of connectTabs are {value}',
    fix: 'pass an object of resources, endpoints or schemas, as in {names: {todo: TodoResource}}',
  },
  O1: {
    why: 'a mutation of the log {log} was dropped: {reason}',
    fix: 'listen to the event drop of the queue, to tell the user, and write nothing else into this database',
  },
  O2: {
    why: 'the log of mutations does not take {endpoint}: {reason}',
    fix: 'give arguments that structuredClone takes; without a disk mutations are sent as they are without a log',
  },
  O3: {
    why: 'the mutation {name} stays in the log unsent, as this build does not know its {reason}',
    fix: 'give the endpoint its old name, or offline() a migrate() that knows the version',
  },
  O4: {
    why: '{endpoint}, which another page had issued, was refused, and taken back: {reason}',
    fix: 'listen to the event error of the controller, to tell the user',
  },
  O5: {
    why: 'the mutation was taken out of the log of what waits for the network',
    fix: 'nothing is wrong where the user, or another page, has discarded it',
  },
  O6: {
    why: 'a function given to offline() failed, and the mutation waits: {hook}: {reason}',
    fix: 'let onConflict return one of the words keep and drop, or { args }, and hold a boolean',
  },
  O7: {
    why: '{count} records of the log {log} cannot be decoded and stay there unsent: {reason}',
    fix: 'give offline() the transform, and the key, under which they were logged; reset() removes them',
  },
  P1: {
    why: 'what lies on the disk is of version {found}, and this is {expected}: it is dropped',
    fix: 'nothing is to be done after a change of the version; else see that all pages of this origin name the same',
  },
  P2: {
    why: '{record} cannot be kept on the disk and is dropped: {reason}',
    fix: 'it is asked again; where a schema has changed, give persist() another version',
  },
  P3: {
    why: 'a {doing} of the disk failed: {reason}',
    fix: 'the page goes on without it; private windows and full disks have none to give',
  },
  P4: {
    why: 'answers of the schema {schema} are not kept, because of {part}: {reason}',
    fix: 'give its resource or class to names, or leave the endpoint out by include()',
  },
  P5: {
    why: 'names has {value} under {name}',
    fix: 'give a resource, an endpoint, a schema, or an object of these; a circular import may run too early',
  },
  P6: {
    why: 'the disk {name} was emptied by another page or by the user, or is of another version now: this page writes nothing more',
    fix: 'reset the controller of this page when a user logs out elsewhere (connectTabs does), or load it again',
  },
};

export const codes: readonly Code[] = /* @__PURE__ */ Object.keys(catalogue) as Code[];
export type Parameters = Readonly<Record<string, unknown>>;

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

  constructor(code: Code, parameters: Parameters, circumstance: ErrorDetails = {}) {
    super(sentence(code, parameters, circumstance.endpoint));
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

/** An attempt that its `timeout` ended. Without a status, like every request without a response: the error is soft. */
export class TimeoutError extends SignalboxError {
  override name = 'TimeoutError';
  constructor(ms: number, circumstance: ErrorDetails) {
    super('F4', { ms }, circumstance);
  }
}

const warned = new Set<string>();

/**
 * Reports an error of user code that no caller can handle: as an uncaught exception (WHATWG HTML, report an exception).
 * Platforms without `reportError` exit at an uncaught error. A server must not exit because of one reader: there the
 * error is printed.
 */
export function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else console.error(error);
}

/** Prints a diagnostic once per code and subject, in development only. */
export function warn(code: Code, subject: string, parameters: Parameters): void {
  if (process.env.NODE_ENV !== 'production' && !warned.has(code + subject)) {
    warned.add(code + subject);
    console.warn(sentence(code, parameters));
  }
}

/**
 * Warns (E11) of each option that neither exists nor is a member of the class, if it is one typing error away from an
 * existing option. In development only.
 */
export function checkOptions(options: object, prototype: object): void {
  // a block, as in `sentence`, so that production builds drop it
  if (process.env.NODE_ENV !== 'production') {
    const known = OPTIONS.split(' ');
    for (const option of Object.keys(options)) {
      if (option in prototype || known.includes(option)) continue;
      const near = known.find((name) => isSlip(option, name));
      if (near !== undefined) warn('E11', option, { option, known: near });
    }
  }
}

// without short names: too many other words are similar to these
const OPTIONS =
  'schema method sideEffect searchParams body dataExpiryLength errorExpiryLength invalidIfStale errorPolicy ' +
  'pollFrequency retry timeout refetchOnFocus refetchOnReconnect returnPartialData revalidateLists testKey sweepAfter ' +
  'getOptimisticResponse update signal urlPrefix content itemPath getHeaders getRequestInit fetchResponse ' +
  'parseResponse searchToString process paginationField optimistic Collection Endpoint';

/** True if one letter is missing, added or different, or two neighboring letters are swapped. */
function isSlip(one: string, other: string): boolean {
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

function sentence(code: Code, parameters: Parameters, endpoint?: string): string {
  const where = endpoint === undefined ? '' : `${endpoint}: `;
  // written out, not DEV, and in a block: bundlers detect that a production build needs no catalogue
  if (process.env.NODE_ENV !== 'production') {
    const { why, fix } = catalogue[code];
    return `[signalbox ${code}] ${where}${fill(why, parameters)}; ${fix}`;
  }
  return `[signalbox ${code}] ${where}${quote(parameters, 200)}`;
}

function fill(text: string, parameters: Parameters): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) =>
    name in parameters ? fit(name, parameters[name]) : hole,
  );
}

/** A reason is a sentence and is not quoted; every other parameter is a value. */
function fit(name: string, value: unknown): string {
  if (name !== 'reason') return quote(value, 80);
  const text = typeof value === 'string' ? value : spell(value);
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

/** Any value as one line, cut to `length` characters, without running much code of the value. */
export function quote(value: unknown, length: number): string {
  const text = spell(value);
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function spell(value: unknown): string {
  if (typeof value === 'function') return value.name || 'a function';
  if (['bigint', 'symbol', 'number', 'undefined'].includes(typeof value)) return String(value);
  if (value instanceof Error) return value.message;
  if (Array.isArray(value) && value.length > 20) return `an array of ${value.length}`;
  try {
    return JSON.stringify(value) ?? Object.prototype.toString.call(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
