/** Reads the body and the search params of a request. */
import type { MswRequest } from './HandlerOptions.ts';
import type { Params } from './ServerRows.ts';

/** The body: JSON, the fields of a form, or else text. */
export async function bodyOf(request: MswRequest): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  const copy = request.clone();
  if (/^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)) {
    return Object.fromEntries(await copy.formData());
  }
  const text = await copy.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Search params; repeated names have several values. */
export function paramsOf(search: URLSearchParams): Params {
  const names = [...new Set(search.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}
