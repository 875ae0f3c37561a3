// Testing Library waits as long as `expect.poll`: a busy machine may be ten times as slow as an idle one.
import { configure } from '@testing-library/dom';

configure({ asyncUtilTimeout: 10_000 });
