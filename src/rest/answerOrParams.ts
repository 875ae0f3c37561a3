/** The result of a deletion for its caller. */
import { isObject } from '../schema/fieldOf.ts';

/** The response if it is an object that is not empty, else the params. */
export function answerOrParams(answer: unknown, params: unknown): unknown {
  return isObject(answer) && Object.keys(answer).length > 0 ? answer : params;
}
