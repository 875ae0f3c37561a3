// Lets packages that are not transformed (CommonJS) get React 18: an alias reaches only our own files.
import { Module } from 'node:module';

type Resolve = (request: string, ...rest: unknown[]) => string;
const loader = Module as unknown as { _resolveFilename: Resolve; signalboxReact18?: true };

if (loader.signalboxReact18 === undefined) {
  loader.signalboxReact18 = true;
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function react18(request, ...rest): string {
    const older = request.replace(/^(react|react-dom)(?=\/|$)/, '$1-18');
    return resolve.call(this, older, ...rest);
  };
}
