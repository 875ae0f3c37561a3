/** How the server of the examples behaves: told with each request, and obeyed by both servers there are. */

export const moods = {
  well: 'answers',
  slow: 'is slow',
  refuses: 'refuses changes',
  down: 'is down',
} as const;

export type Mood = keyof typeof moods;

/** `?mood=slow` begins so. */
export const server: { mood: Mood } = {
  mood: isMood(asked('mood')) ? (asked('mood') as Mood) : 'well',
};

/** `?mock`: Mock Service Worker answers in this page, and nothing leaves it. */
export const mocked: boolean = asked('mock') !== null;

function asked(name: string): string | null {
  return new URLSearchParams(globalThis.location?.search).get(name);
}

function isMood(text: string | null): boolean {
  return text !== null && Object.hasOwn(moods, text);
}

/** How long an answer takes in this mood, ms. */
export function delayIn(mood: string | null): number {
  return mood === 'slow' ? 800 : 0;
}

/** Whether a request is refused in this mood. */
export function isRefused(mood: string | null, method: string): boolean {
  return mood === 'down' || (mood === 'refuses' && method !== 'GET');
}
