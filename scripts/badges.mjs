/**
 * The badges of README, without a service: `npm run badges` writes docs/badge-size.svg (the size that the home page
 * states) and docs/badge-rules.svg (the rules of test/SPEC.md with tests). `--print` prints both instead,
 * for the test.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** The content of each badge, by the path of the file. */
function createBadges() {
  const [, size] = /<dd>(\d+)<\/dd><\/div>\s*<\/dl>/.exec(read('docs/index.md')) ?? [];
  const rules = read('test/SPEC.md').match(/^- \*\*\w+\*\* · .*$/gm) ?? [];
  const proven = rules.filter((rule) => rule.includes('** · proven · '));
  return {
    'docs/badge-size.svg': createBadge('size with React', `${size} KiB gzip`),
    'docs/badge-rules.svg': createBadge('rules with tests', `${proven.length} of ${rules.length}`),
  };
}

// DejaVu Sans, the widest of the fonts, at 11 px
const widthOf = (text) => text.length * 7 + 12;

function createBadge(name, value) {
  const [left, right] = [widthOf(name), widthOf(value)];
  const text = (x, content) => `<text x="${x}" y="14">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}: ${value}">
<clipPath id="round"><rect width="${left + right}" height="20" rx="4"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="20" fill="#3c3c43"/><rect x="${left}" width="${right}" height="20" fill="#157f56"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">${text(left / 2, name)}${text(left + right / 2, value)}</g>
</svg>
`;
}

const badges = createBadges();
if (process.argv.includes('--print')) console.log(JSON.stringify(badges));
else for (const [path, badge] of Object.entries(badges)) writeFileSync(new URL(path, root), badge);
