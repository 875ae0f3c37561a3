/** Detects whether an app is in the foreground and online, with React Native's own modules. */
import type { Surroundings } from '../../src/page.ts';

/** `AppState` of react-native. */
export interface AppState {
  readonly currentState: string;
  addEventListener(event: 'change', listener: (state: string) => void): { remove(): void };
}

/** `NetInfo` of @react-native-community/netinfo. */
export interface NetInfo {
  addEventListener(listener: (state: { readonly isConnected: boolean | null }) => void): () => void;
}

/**
 * `new Controller({ surroundings: appSurroundings(AppState, NetInfo) })`: stale views are refetched when the app comes
 * to the foreground and when the network comes back; until then polling pauses. Without `NetInfo` the app counts as
 * online. The modules are subscribed to while at least one view is mounted.
 */
export function appSurroundings(app: AppState, network?: NetInfo): Surroundings {
  let offline = false;
  return {
    get hidden() {
      // 'inactive' is a short interruption: a call, the app switcher
      return app.currentState === 'background';
    },
    get offline() {
      return offline;
    },
    listen(onReturn) {
      let { currentState: lastState } = app;
      const states = app.addEventListener('change', (state) => {
        if (state === 'active' && lastState === 'background') onReturn('focus');
        if (state !== 'inactive') lastState = state;
      });
      const stop = network?.addEventListener(({ isConnected }) => {
        const wasOffline = offline;
        offline = isConnected === false;
        if (wasOffline && !offline) onReturn('reconnect');
      });
      return () => {
        states.remove();
        stop?.();
        offline = false;
      };
    },
  };
}
