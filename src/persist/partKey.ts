/** The key of a part of a list or a response, by its content. */
import { hashText } from './hashText.ts';

export function partKey(key: string, text: string): string {
  const id = [text.length, hashText(text), hashText(text, 0x9dc5811c)];
  return `#${key}#${id.map((number) => number.toString(36)).join('-')}`;
}
