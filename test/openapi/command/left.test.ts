/** What is dropped and what is guessed is said, with its place in the description. */
import { expect, test } from 'vitest';
import { documentAt, run } from './command.ts';

test('[T3] each part that is not written is one line with its place', async () => {
  const { code, said } = await run(['openapi', documentAt('left.yaml')]);
  expect(code).toBe(0);
  expect([...said].sort()).toEqual([
    'dropped: #/components/headers/Total: a header of responses is not read',
    'dropped: #/components/schemas/Item/properties/count/not: no type expresses `not`',
    'dropped: #/components/schemas/Item/properties/open/additionalProperties: other members are unknown beside described ones',
    'dropped: #/components/schemas/Item/properties/pk: an entity has no field pk: the library calls it',
    'dropped: #/components/securitySchemes/mutual: `authorize` adds nothing for this scheme',
    'dropped: #/components/securitySchemes/odd: `authorize` adds nothing for this scheme',
    'dropped: #/paths/~1items/get/responses/200/content/application~1xml: application/json is read',
    'dropped: #/paths/~1items/get/responses/200/headers/X-Total: a header of responses is not read',
    'dropped: #/paths/~1items/get/responses/200/links/next: links of responses are not written',
    'dropped: #/paths/~1items/trace: fetch sends no TRACE',
    'dropped: #/paths/~1items~1{id}/parameters/0: a value in the style matrix is written as a segment',
    'dropped: #/paths/~1items~1{id}/put/callbacks/changed: the server sends it',
    'dropped: #/paths/~1items~1{id}/put/requestBody/content/application~1x-www-form-urlencoded: application/json is sent',
    'dropped: #/webhooks/itemChanged: the server sends it',
  ]);
});

test('[T3] each decision without a word of the description is one line with its place', async () => {
  const { code, said } = await run(['openapi', documentAt('short.yaml'), '--explain']);
  expect(code).toBe(0);
  const guesses = said.filter((line) => line.startsWith('guessed: '));
  expect(guesses).toEqual([
    'guessed: #/components/schemas/TaskCompact: a form of Task: GET /tasks answers it, above /tasks/{task_code}',
    'guessed: #/components/schemas/UserCompact: a form of User: its name and members are those of UserResponse',
    'guessed: #/paths/~1repos~1{owner}~1{repo}~1issues~1{index}: {index} is the member number of Issue',
  ]);
});

test('[T3] --strict fails if anything was guessed, and writes all the same', async () => {
  const guessed = await run(['openapi', documentAt('short.yaml'), '--strict']);
  expect(guessed.code).toBe(1);
  expect(guessed.out).toBe((await run(['openapi', documentAt('short.yaml')])).out);
  expect(await run(['openapi', documentAt('petstore.yaml'), '--strict'])).toMatchObject({
    code: 0,
    said: [],
  });
  expect((await run(['openapi', documentAt('left.yaml'), '--strict'])).code).toBe(0);
});
