/** signalbox/eslint-plugin: rules for mistakes that types do not detect, for ESLint's flat configuration. */
import type { Rule } from './ast.ts';
import { definedPk } from './definedPk.ts';
import { noControllerInComponent, noResourceInComponent } from './noResourceInComponent.ts';
import { noEntityMutation } from './noEntityMutation.ts';
import { noMutationInReadHook } from './noMutationInReadHook.ts';

export type { RuleContext, Rule } from './ast.ts';

type RuleName =
  | 'defined-pk'
  | 'no-controller-in-component'
  | 'no-entity-mutation'
  | 'no-mutation-in-read-hook'
  | 'no-resource-in-component';

const rules: Readonly<Record<RuleName, Rule>> = {
  'defined-pk': definedPk,
  'no-controller-in-component': noControllerInComponent,
  'no-entity-mutation': noEntityMutation,
  'no-mutation-in-read-hook': noMutationInReadHook,
  'no-resource-in-component': noResourceInComponent,
};

/** A plugin for ESLint 9 and up. */
export interface EslintPlugin {
  readonly meta: { readonly name: string };
  readonly rules: Readonly<Record<RuleName, Rule>>;
  readonly configs: { readonly recommended: EslintConfig };
}

/** An object of `eslint.config.js`. */
export interface EslintConfig {
  readonly name: string;
  readonly plugins: { readonly signalbox: Pick<EslintPlugin, 'meta' | 'rules'> };
  readonly rules: Readonly<Record<`signalbox/${RuleName}`, 'error'>>;
}

const meta = { name: 'signalbox' };

/** `export default [signalbox.configs.recommended]` in `eslint.config.js` turns all rules on. */
export const signalbox: EslintPlugin = {
  meta,
  rules,
  configs: {
    recommended: {
      name: 'signalbox/recommended',
      plugins: { signalbox: { meta, rules } },
      rules: Object.fromEntries(
        Object.keys(rules).map((name) => [`signalbox/${name}`, 'error']),
      ) as EslintConfig['rules'],
    },
  },
};
