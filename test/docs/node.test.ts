// The blocks of pages that show no framework run in Node.
import { runPages } from './runPages.ts';

runPages('node');
