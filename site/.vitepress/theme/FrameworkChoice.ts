/** The chosen framework is that of all tabs of code, also of the next page and the next visit. */
import { onContentUpdated } from 'vitepress';
import { defineComponent, onBeforeUnmount, onMounted } from 'vue';

const NAME = 'signalbox-framework';
const labels = '.vp-code-group .tabs label';

/** Presses the tabs of this framework, except those that are open. */
function openTabs(framework: string | undefined): void {
  for (const label of document.querySelectorAll<HTMLLabelElement>(labels))
    if (label.textContent === framework && label.control?.matches(':not(:checked)'))
      label.control.click();
}

/** A browser may keep the storage closed. */
function stored(): string | undefined {
  try {
    return localStorage.getItem(NAME) ?? undefined;
  } catch {
    return undefined;
  }
}

function choose({ target, isTrusted }: Event): void {
  if (!isTrusted || !(target instanceof HTMLInputElement)) return;
  const group = target.closest('.vp-code-group');
  const framework = target.labels?.[0]?.textContent;
  if (group === null || framework === undefined) return;
  try {
    localStorage.setItem(NAME, framework);
  } catch {
    // the choice is that of this page
  }
  // groups above change their height: the pressed tab stays where the reader looks
  const { top } = group.getBoundingClientRect();
  openTabs(framework);
  scrollBy({ top: group.getBoundingClientRect().top - top, behavior: 'instant' });
}

export const FrameworkChoice = defineComponent({
  setup() {
    onContentUpdated(() => openTabs(stored()));
    onMounted(() => addEventListener('click', choose));
    onBeforeUnmount(() => removeEventListener('click', choose));
    return () => undefined;
  },
});
