// `npm run picture`: takes the pictures of README from the demo page, and of devtools.md from the todo page, on the sources.
import { fileURLToPath } from 'node:url';
import { loadForNode } from './loadForNode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = `${root}examples/demo/dist/picture.mjs`;
const { takePictures, takePanelPictures, launchBrowser } = await loadForNode(outfile, {
  stdin: {
    contents: `
      export { takePictures } from './examples/demo/picture.ts';
      export { takePanelPictures } from './examples/todo/picture.ts';
      export { launchBrowser } from './test/setup/browser.ts';`,
    resolveDir: root,
  },
});
const alias = {
  'signalbox/devtools/panel': `${root}src/devtools/panel/index.ts`,
  'signalbox/testing/msw': `${root}src/testing/msw.ts`,
  'signalbox/react': `${root}adapters/react/index.ts`,
  'signalbox/preact': `${root}adapters/preact/index.ts`,
  'signalbox/solid': `${root}adapters/solid/index.ts`,
  signalbox: `${root}src/index.ts`,
};
const browser = await launchBrowser();
try {
  await takePictures(root, browser, alias);
  await takePanelPictures(root, browser, alias);
} finally {
  await browser.close();
}
