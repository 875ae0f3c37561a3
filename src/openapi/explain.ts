/** Explains the decisions of the command to the user, with reasons. */
import type { CallTexts } from './callTexts.ts';
import type { KeyPart } from './keyParts.ts';
import type { Definition } from './Document.ts';
import { textOfPath } from './Path.ts';
import type { Writers } from './Schemas.ts';

/** One line for each entity, for each of its other forms, and for each resource. */
export function explain(
  resources: CallTexts['resources'],
  definitions: readonly Definition[],
  writers: Writers,
): string[] {
  const { identities, types } = writers;
  const entities = definitions.filter(
    (each) => identities.of(each) !== undefined && !identities.isForm(each),
  );
  return [
    ...entities.flatMap((main) => {
      const forms = identities.forms.of(main).filter((form) => form !== main);
      const own = `${types.nameOf(main, 'read')} is ${called(main)}: ${keyOf(main, writers)}`;
      const others = forms.map(
        (form) => `  and ${called(form)}: ${identities.forms.reasonOf(form)}`,
      );
      return [own, ...others];
    }),
    ...resources.map(([name, { segments, members, extras }]) => {
      const others = extras.length === 0 ? '' : `, and ${extras.length} more`;
      return `${name} is ${textOfPath(segments)}: ${[...members.keys()].join(', ')}${others}`;
    }),
  ];
}

const called = ({ name, inline }: Definition): string =>
  inline ? `a ${name} that is described in place` : name;

function keyOf(main: Definition, { identities }: Writers): string {
  const { parts = [], otherwise } = identities.of(main) ?? {};
  const home = identities.homeOf(main);
  if (parts.length === 0) return 'there is one';
  const where = home === undefined ? 'rows of a list' : textOfPath(home);
  const rest = otherwise === undefined ? '' : `, else ${otherwise}`;
  return `its key is ${parts.map(partOf).join(', ')}${rest} (${where})`;
}

const partOf = ({ member, param }: KeyPart): string =>
  member.length === 0 ? `${param} of the request` : member.join('.');
