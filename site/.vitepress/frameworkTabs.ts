/** Blocks of one step in several frameworks, which GitHub shows one below the other, are tabs. */
import type { MarkdownOptions } from 'vitepress';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<Markdown['parse']>[number];

const names: ReadonlyMap<string | undefined, string> = new Map([
  ['react', 'React'],
  ['preact', 'Preact'],
  ['solid', 'Solid'],
]);

/** `React` for a block that begins with "```tsx react". */
export const frameworkOf = ({ type, info }: Token): string | undefined =>
  type === 'fence' ? names.get(info.split(' ')[1]) : undefined;

const isHidden = ({ type, content }: Token): boolean =>
  type === 'html_block' && content.startsWith('<!--');

/** Encloses neighbouring blocks of different frameworks in the elements of a code group of VitePress. */
export function groupFrameworks(tokens: Token[]): void {
  let groups = 0;
  for (let start = 0; start < tokens.length; start++) {
    const blocks = blocksFrom(tokens, start);
    if (blocks.size < 2) continue;
    const last = Math.max(...blocks.values());
    const [first] = tokens.slice(start) as [Token];
    const html = (content: string) => {
      const token = new (first.constructor as new (...of: unknown[]) => Token)('html_block', '', 0);
      return Object.assign(token, { content });
    };
    first.info += ' active';
    tokens.splice(last + 1, 0, html('</div></div>'));
    tokens.splice(start, 0, html(openingOf([...blocks.keys()], ++groups)));
    start = last + 2;
  }
}

/** The blocks of one step by framework, from the token at `start`; each framework occurs once. */
function blocksFrom(tokens: readonly Token[], start: number): ReadonlyMap<string, number> {
  const blocks = new Map<string, number>();
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const framework = frameworkOf(token);
    if (blocks.size > 0 && isHidden(token)) continue;
    // a block inside of a list or of another group stays
    if (framework === undefined || token.level > 0 || blocks.has(framework)) break;
    blocks.set(framework, at);
  }
  return blocks;
}

function openingOf(frameworks: readonly string[], group: number): string {
  const tabs = frameworks.map((name, at) => {
    const id = `framework-${group}-${at}`;
    const checked = at === 0 ? ' checked' : '';
    return `<input type="radio" name="framework-${group}" id="${id}"${checked}><label data-title="${name}" for="${id}">${name}</label>`;
  });
  return `<div class="vp-code-group"><div class="tabs">${tabs.join('')}</div><div class="blocks">\n`;
}
