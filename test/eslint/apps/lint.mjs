// Lints code without types by the packed plugin, imported or required, under the ESLint that is named.
import { createRequire } from 'node:module';
import { signalbox as imported } from 'signalbox/eslint-plugin';

const [name, how] = process.argv.slice(2);
const { ESLint } = await import(name);
const { signalbox } = createRequire(import.meta.url)('signalbox/eslint-plugin');
const plugin = how === 'require' ? signalbox : imported;

const code = `
import { Controller, createResource, Entity } from 'signalbox';
import { useSuspense } from 'signalbox/react';
class Todo extends Entity { title = ''; slug = undefined; pk() { return this.slug; } }
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
export function App() {
  const controller = new Controller();
  const todo = useSuspense(TodoResource.get, { id: 1 });
  todo.title = 'x';
  useSuspense(TodoResource.delete, { id: 1 });
  return <b>{createResource({ path: '/x/:id', schema: Todo })}</b>;
}`;
const languageOptions = { parserOptions: { ecmaFeatures: { jsx: true } } };
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [{ languageOptions }, plugin.configs.recommended],
});
const [{ messages }] = await eslint.lintText(code);
console.log(JSON.stringify(messages.map(({ ruleId, line, message }) => [line, ruleId, message])));
