// Releases the package. `node scripts/release.mjs` is a dry run that lists obstacles; with `--publish`, in CI, the package is
// published: npm's trusted publishing needs no token, and states where the package was built. `--built` takes the present build.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const publishes = process.argv.includes('--publish');
const repository = process.env['GITHUB_REPOSITORY'];
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const capture = (program, ...args) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const show = (program, args, cwd = root) => execFileSync(program, args, { cwd, stdio: 'inherit' });

const objections = objectionsTo(manifest.version);
for (const objection of objections) console.log(`Not yet: ${objection}`);
if (publishes && objections.length > 0) process.exit(1);

if (!process.argv.includes('--built')) show('npm', ['run', 'build']);
const folder = mkdtempSync(join(tmpdir(), 'signalbox-release-'));
try {
  const how = publishes ? [] : ['--dry-run'];
  show('npm', ['publish', stage(folder), '--ignore-scripts', ...how], folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Unmet requirements of a release. */
function objectionsTo(version) {
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const tags = capture('git', 'tag', '--points-at', 'HEAD').split('\n');
  const [major, minor] = capture('npm', '--version').split('.').map(Number);
  const found = [
    [!changes.includes(`\n## [${version}]`), `CHANGELOG.md has no section "## [${version}]"`],
    [!tags.includes(`v${version}`), `this commit has no tag v${version}`],
    [capture('git', 'status', '--porcelain') !== '', 'there are changes that are not committed'],
    [major * 100 + minor < 1105, 'trusted publishing needs npm 11.5 or later'],
    [!repository, 'provenance needs a repository: GITHUB_REPOSITORY is not set'],
  ];
  return found.filter(([stands]) => stands).map(([, text]) => text);
}

/** The package as packed, with the fields that only users need. */
function stage(folder) {
  const packed = capture('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(packed);
  execFileSync('tar', ['-xzf', filename], { cwd: folder });
  const { private: _p, scripts: _s, devDependencies: _d, overrides: _o, ...rest } = manifest;
  const place = join(folder, 'package');
  const url = repository && {
    repository: { type: 'git', url: `git+https://github.com/${repository}.git` },
  };
  writeFileSync(join(place, 'package.json'), `${JSON.stringify({ ...rest, ...url }, null, 2)}\n`);
  return place;
}
