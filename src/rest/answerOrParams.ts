/** What a deletion gives its caller. */

/** The answer when it is an object that holds something, else the params. */
export function answerOrParams(answer: unknown, params: unknown): unknown {
  const isObject = typeof answer === 'object' && !Array.isArray(answer);
  return isObject && Object.keys(answer ?? {}).length > 0 ? answer : params;
}
