/** What a deletion gives its caller. */
import { isObject } from '../schema/isObject.ts';

/** The answer when it is an object that holds something, else the params. */
export function answerOrParams(answer: unknown, params: unknown): unknown {
  return isObject(answer) && Object.keys(answer).length > 0 ? answer : params;
}
