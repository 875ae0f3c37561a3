/** A running example in a frame. It is loaded when the reader opens it: the page itself stays small. */
import { withBase } from 'vitepress';
import { defineComponent, h, ref } from 'vue';

export const LiveExample = defineComponent({
  props: {
    /** The page of the example, below `live/`. */
    page: { type: String, required: true },
    title: { type: String, required: true },
  },
  setup(props) {
    const open = ref(false);
    const address = () => withBase(`/live/${props.page}`);
    const frame = () => h('iframe', { src: address(), title: props.title });
    const start = () =>
      h('button', { type: 'button', onClick: () => (open.value = true) }, `Open: ${props.title}`);
    const alone = () =>
      h('a', { href: address(), target: '_blank', rel: 'noreferrer' }, 'Open it in its own tab');
    return () =>
      h('div', { class: 'live-example' }, [open.value ? frame() : start(), h('p', alone())]);
  },
});
