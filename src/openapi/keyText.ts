/** The code of an entity's primary key: from its fields, and from params of the request for parts that it lacks. */
import { block, propertyKey, lay } from './CodePiece.ts';
import type { Identity } from './decideKey.ts';
import type { PathMember } from './Homes.ts';
import type { KeyPart } from './keyParts.ts';
import { isReserved, paramName } from './ModuleNames.ts';

/*
 *   the field id, and its path has {id}         nothing
 *   sid, and the path has {Sid}                 this.sid ?? paramsOf(call).Sid
 *   lang and slug, as in the path               `${this.lang}/${this.slug}`
 *   number, and the path has the owner          keyOf(owner, repo, this.number ?? issue_number) ?? this.id
 */
/** `pk()`, unless the primary key is the field `id`. */
export function keyText(identity: Identity | undefined): string {
  if (identity === undefined) return '';
  const { parts, otherwise, address } = identity;
  const params = parts.flatMap(({ member, param }) => {
    const name = param === undefined ? undefined : paramName(param);
    return name === undefined || (member.length === 1 && member[0] === name) ? [] : [name];
  });
  const values = parts.map((part) => partText(part, params));
  if (params.length === 0 && otherwise === undefined) return ownKeyText(values);
  const given = [...new Set(params)].map((name) =>
    localOf(name) === name ? name : `${name}: ${localOf(name)}`,
  );
  const lines = address === undefined ? [] : [ownText(address)];
  const from = address === undefined ? 'call' : 'call, own';
  if (given.length > 0) lines.push(`const { ${given.join(', ')} } = paramsOf(${from});`);
  const whole = values.length > 1 ? `keyOf(${values.join(', ')})` : (values[0] as string);
  const rest = otherwise === undefined ? '' : ` ?? ${fieldOf([otherwise])}`;
  lines.push(`return ${whole}${rest};`);
  return `\n\n  override pk(...call: PkArgs) {\n    ${lines.join('\n    ')}\n  }`;
}

/** The params in the address of a record. */
function ownText({ member, pattern }: PathMember): string {
  const value = block([`${fieldOf([member])} ?? ''`], '(', ')');
  return lay([`const own = /${pattern}/.exec`, value, '?.groups;'], 4);
}

function ownKeyText(values: readonly string[]): string {
  if (values.length === 1 && values[0] === 'this.id') return '';
  const composed = `\`${values.map((each) => `\${${each}}`).join('/')}\``;
  // without a field there is only one record of this kind
  const value = values.length === 0 ? "'one'" : values.length === 1 ? values[0] : composed;
  return `\n\n  override pk() {\n    return ${value};\n  }`;
}

/** A part of a key: from the record, else from the request. */
function partText({ member, param }: KeyPart, params: readonly string[]): string {
  const name = param === undefined ? '' : paramName(param);
  if (member.length === 0) return localOf(name);
  return params.includes(name) ? `${fieldOf(member)} ?? ${localOf(name)}` : fieldOf(member);
}

/** The variable of a param if its name is a word of the language, or used by the module. */
const localOf = (param: string): string => (isReserved(param) ? `${param}_` : param);

/** `this.number`, `this.owner?.login`. */
function fieldOf([name = '', inner]: readonly string[]): string {
  const field = propertyKey(name) === name ? `this.${name}` : `this[${propertyKey(name)}]`;
  if (inner === undefined) return field;
  return propertyKey(inner) === inner ? `${field}?.${inner}` : `${field}?.[${propertyKey(inner)}]`;
}
