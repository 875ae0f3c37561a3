// `npm run picture`: takes the pictures of README from the demo page, on the sources.
import { fileURLToPath } from 'node:url';
import { loadForNode } from './loadForNode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = `${root}examples/demo/dist/picture.mjs`;
const { takePictures, launchBrowser } = await loadForNode(outfile, {
  stdin: {
    contents: `
      export { takePictures } from './examples/demo/picture.ts';
      export { launchBrowser } from './test/setup/browser.ts';`,
    resolveDir: root,
  },
});
const browser = await launchBrowser();
try {
  await takePictures(root, browser, {
    'signalbox/react': `${root}adapters/react/index.ts`,
    'signalbox/preact': `${root}adapters/preact/index.ts`,
    'signalbox/solid': `${root}adapters/solid/index.ts`,
    signalbox: `${root}src/index.ts`,
  });
} finally {
  await browser.close();
}
