// Testing Library waits as long as `expect.poll`: a busy machine may be ten times slower than an idle machine.
import { configure } from '@testing-library/dom';

configure({ asyncUtilTimeout: 10_000 });
