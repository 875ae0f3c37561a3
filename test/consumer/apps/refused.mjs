// What hooks and components say in Node under the condition react-server, where no bundler makes references of them.
import * as native from 'signalbox/react/native';
import * as react from 'signalbox/react';
import * as signals from 'signalbox/react/signals';
import * as testing from 'signalbox/testing/react';

const found = {};
for (const module of [react, native, signals, testing]) {
  for (const [name, part] of Object.entries(module)) {
    // a class is made by React, which refuses it itself
    if (typeof part !== 'function' || /Boundary$|appSurroundings/.test(name)) continue;
    try {
      part({}, {});
      found[name] = 'nothing';
    } catch ({ message }) {
      found[name] = message;
    }
  }
}
console.log(JSON.stringify(found));
