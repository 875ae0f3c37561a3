/** The example in the slot can be edited: the editor and the preview are loaded when the reader presses "Edit". */
import type { EditorView } from '@codemirror/view';
import { useData, withBase } from 'vitepress';
import { defineComponent, h, nextTick, onBeforeUnmount, onMounted, ref, watch } from 'vue';

const QUIET_MS = 400;
/** Behind the example of the home page. */
const ENDING = 'render(<Row id={1} />);';

export const LiveEditor = defineComponent({
  setup(_props, { slots }) {
    // oxlint-disable-next-line react/rules-of-hooks -- a composable of Vue
    const { isDark } = useData();
    const sample = ref<HTMLElement>();
    const place = ref<HTMLElement>();
    const frame = ref<HTMLIFrameElement>();
    const editing = ref(false);
    let editor: EditorView | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const post = (edit: { code?: string }) =>
      frame.value?.contentWindow?.postMessage(
        { ...edit, theme: isDark.value ? 'dark' : 'light' },
        // the frame has no origin
        '*',
      );
    const run = () => post({ code: editor?.state.doc.toString() ?? '' });
    const onMessage = ({ source }: MessageEvent) => {
      if (source !== null && source === frame.value?.contentWindow) run();
    };
    const edit = async () => {
      const code = sample.value?.querySelector('code')?.textContent ?? '';
      const { createEditor } = await import('./createEditor.ts');
      editing.value = true;
      await nextTick();
      editor = createEditor({
        parent: place.value as HTMLElement,
        code: `${code.trimEnd()}\n\n${ENDING}\n`,
        onChange() {
          clearTimeout(timer);
          timer = setTimeout(run, QUIET_MS);
        },
      });
      editor.focus();
    };
    const close = () => {
      editor?.destroy();
      editor = undefined;
      editing.value = false;
    };
    onMounted(() => addEventListener('message', onMessage));
    onBeforeUnmount(() => {
      removeEventListener('message', onMessage);
      clearTimeout(timer);
      editor?.destroy();
    });
    watch(isDark, () => post({}));

    const button = (text: string, onClick: () => unknown) =>
      h('button', { type: 'button', onClick }, text);
    const workbench = () => [
      h('div', { class: 'editor', ref: place }),
      h('iframe', {
        ref: frame,
        src: withBase('/live/preview/index.html'),
        sandbox: 'allow-scripts',
        title: 'Preview of the example',
      }),
      button('Close the editor', close),
    ];
    return () =>
      h('div', { class: 'live-editor' }, [
        h('div', { ref: sample, hidden: editing.value }, slots['default']?.()),
        ...(editing.value ? workbench() : [button('Edit and run the React example', edit)]),
      ]);
  },
});
