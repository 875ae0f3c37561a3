// An app whose one part imports the library and whose other part requires it.
import { Controller } from 'signalbox';
import { useController } from 'signalbox/react';

const again = require('signalbox');
const react = require('signalbox/react');
console.log(
  JSON.stringify([Controller === again.Controller, useController === react.useController]),
);
