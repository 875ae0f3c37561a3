/** Three columns on one controller: each framework mounts into its own place and knows nothing of the others. */
import { showFrame } from './frame.ts';
import { byId, showPanel } from './panel.ts';
import { mountPreact } from './PreactColumn.tsx';
import { mountReact } from './ReactColumn.tsx';
import { mountSolid } from './SolidColumn.ts';
import { tellCommit } from './tally.ts';
import { controller } from './world.ts';

controller.on('commit', ({ written }) => tellCommit(written));
showPanel();
showFrame();
mountReact(byId('react'));
mountPreact(byId('preact'));
mountSolid(byId('solid'));
