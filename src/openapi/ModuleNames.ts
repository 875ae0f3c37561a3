/** Names of declarations in the generated module: identifiers of TypeScript, each used once. */

/** Words that no declaration may have, and names that the generated module itself uses. */
const RESERVED =
  `any arguments as async await bigint boolean break case catch class const continue debugger default delete do else
  enum eval export extends false finally for from function get globalThis if implements import in infer instanceof
  interface is keyof let module namespace never new null number object of package private protected public readonly
  require return set static string super switch symbol this throw true try type typeof undefined unique unknown var
  void while with yield exports Array BigInt Blob Boolean BodyInit Collection Date Delete Entity FormData Function Infinity NaN
  Number Object Promise ReadableStream Record RestEndpoint String Symbol URLSearchParams Union Uint8Array Values
  createResource searchStyles sendAs withStatus linkPages orNull atServers sendEach urlPrefix PkArgs paramsOf keyOf`.split(
    /\s+/,
  );

/** True for a name that no declaration may have. */
export const isReserved = (name: string): boolean => RESERVED.includes(name);

/** The names of a module. */
export class ModuleNames {
  readonly #taken = new Set(RESERVED);

  constructor(taken: readonly string[] = []) {
    for (const name of taken) this.#taken.add(name);
  }

  /** The first of these names that is free, else the first with a word or a number appended. */
  take(...names: readonly string[]): string {
    const [preferredName = 'value'] = names;
    const alternative =
      /^\p{Lu}/u.test(preferredName) && RESERVED.includes(preferredName)
        ? [`${preferredName}Type`]
        : [];
    let name = [...names, ...alternative].find((each) => !this.#taken.has(each)) ?? preferredName;
    for (let next = 2; this.#taken.has(name); next++) name = `${preferredName}${next}`;
    this.#taken.add(name);
    return name;
  }
}

const WORDS = /[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}$]+/gu;

/** `user_profile` becomes `UserProfile`; other characters are left out. */
export function pascal(text: string, otherwise = 'Schema'): string {
  const words = text.normalize('NFC').match(WORDS) ?? [];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  if (name === '') return otherwise;
  return isIdentifier(name) ? name : `_${name}`;
}

/** `GET user-profile` becomes `getUserProfile`. */
export function camel(text: string, otherwise = 'operation'): string {
  const name = pascal(text, otherwise);
  return name.replace(/^\p{Lu}+(?!\p{Ll})|^\p{Lu}/u, (start) => start.toLowerCase());
}

export function isIdentifier(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text);
}

/** Words with a regular plural in s although their ending suggests otherwise; and words that are no plural. */
const PLAIN =
  /(?:movie|cookie|cache|niche|pie|tie|house|cause|pause|clause|(?<!\p{L})use|apis?)s?$/iu;
const NO_PLURAL = /(?:ss|us|is|series|species|news|sms|dns|aws|gps|ios|https?)$/i;

/** `categories` becomes `category`: good enough for names. */
export function singular(word: string): string {
  if (PLAIN.test(word)) return word.replace(/s$/i, '');
  if (NO_PLURAL.test(word)) return word;
  if (/ies$/i.test(word)) return word.replace(/ies$/i, 'y');
  if (/yses$/i.test(word)) return word.replace(/es$/i, 'is');
  if (/(?:ss|sh|ch|x|zz|us|ias)es$/i.test(word)) return word.slice(0, -2);
  return /[^s]s$/i.test(word) ? word.slice(0, -1) : word;
}

/** The same result for every spelling of a name: `user_id`, `userId`, `user-id`. */
export function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** Member names that mean "the rows" or "the record", for any type of row. */
const GENERIC = new Set(
  `data item items result results entry entries content contents value values record records row rows list object
  objects edge edges node nodes doc docs document documents hit hits collection element elements member members embedded
  response payload body resource`.split(/\s+/),
);

/** True for the name of a member that says nothing about the content. */
export const isGeneric = (name: string): boolean => GENERIC.has(plainName(name));

/** The deepest nesting of an envelope. */
export const DEEPEST = 3;

/** The words of a name in lower case, and the endings: `issue_number` gives `issue_number`, `number`. */
export function endsOf(name: string): string[] {
  const words = wordsIn(name);
  return words.map((_, at) => words.slice(at).join(''));
}

/** `issueNumber` and `issue_number` are `issue` and `number`. */
export function wordsIn(name: string): string[] {
  return (
    name
      .match(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})|\p{L}+/gu)
      ?.map((word) => word.toLowerCase()) ?? []
  );
}

/** Members that each object has, so that neither types nor programs can tell whether a record or params do, too. */
export const OBJECT_MEMBERS: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(Object.prototype),
);

/**
 * The name of a param in a generated path: unchanged, unless a character is impossible in a quoted name, or each
 * object has a member of that name.
 */
export const paramName = (param: string): string =>
  /["'\\\p{Cc}]/u.test(param) || OBJECT_MEMBERS.has(param) ? paramVariable(param) : param;

/** The name of a variable with the value of a param. */
export function paramVariable(param: string): string {
  const name = isPlainParam(param) ? param : camel(param, 'param');
  if (OBJECT_MEMBERS.has(name)) return `${name}Param`;
  return isPlainParam(name) ? name : 'param';
}

/**
 * A variable for each name, with signs if reserved by the language, used by the module, or taken; `toVariable` makes an
 * identifier of a name.
 */
export function localsOf(
  names: readonly string[],
  toVariable: (name: string) => string,
  others: readonly string[] = [],
): ReadonlyMap<string, string> {
  const taken = new Set(others);
  const locals = new Map<string, string>();
  for (const name of new Set(names)) {
    let local = toVariable(name);
    while (isReserved(local) || taken.has(local)) local += '_';
    taken.add(local);
    locals.set(name, local);
  }
  return locals;
}

/** True for a param that needs no quotes in a generated path. */
export const isPlainParam = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text);
