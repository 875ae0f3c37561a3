// Freezes a tab of Chromium as the browser does with tabs in the background: timers, responses and grants of locks wait,
// messages of other tabs arrive. The event `freeze` comes before.
import type { CDPSession, Page } from 'puppeteer-core';

const sessions = new WeakMap<Page, CDPSession>();

async function setState(page: Page, state: 'frozen' | 'active'): Promise<void> {
  const session = sessions.get(page) ?? (await page.createCDPSession());
  sessions.set(page, session);
  await session.send('Page.setWebLifecycleState', { state });
}

export const freeze = (page: Page): Promise<void> => setState(page, 'frozen');
export const resume = (page: Page): Promise<void> => setState(page, 'active');
