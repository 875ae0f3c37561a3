/** The running demo of the home page: it is loaded when the page is idle, and plays by itself. */
import { useData, withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';

export const LiveStrip = defineComponent({
  setup() {
    // oxlint-disable-next-line react/rules-of-hooks -- a composable of Vue
    const { isDark } = useData();
    const address = ref('');
    const frame = ref<HTMLIFrameElement>();
    const theme = () => (isDark.value ? 'dark' : 'light');
    onMounted(() => {
      const start = () => (address.value = withBase(`/live/strip/#${theme()}`));
      // Safari has no requestIdleCallback
      if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 1000 });
      else setTimeout(start, 300);
    });
    watch(isDark, () => {
      const root = frame.value?.contentDocument?.documentElement;
      if (root) root.dataset['theme'] = theme();
    });
    const content = () =>
      address.value === ''
        ? h('div', { class: 'place' })
        : h('iframe', {
            ref: frame,
            src: address.value,
            title: 'React, Preact and Solid on one store',
          });
    return () =>
      h('div', { class: 'live-strip' }, [
        content(),
        h('p', [
          'One store, three frameworks. Each row counts its renders, and lights up when it renders. ',
          h('a', { href: withBase('/live/demo.html') }, 'The whole demo'),
        ]),
      ]);
  },
});
