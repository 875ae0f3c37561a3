/** The code editor of the home page: a module of its own, loaded when the reader edits. */
import { javascript } from '@codemirror/lang-javascript';
import { syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { basicSetup } from 'codemirror';

interface EditorOptions {
  readonly parent: HTMLElement;
  readonly code: string;
  readonly onChange: (code: string) => void;
}

export function createEditor({ parent, code, onChange }: EditorOptions): EditorView {
  return new EditorView({
    parent,
    doc: code,
    extensions: [
      basicSetup,
      javascript({ jsx: true, typescript: true }),
      syntaxHighlighting(classHighlighter),
      EditorView.contentAttributes.of({ 'aria-label': 'Code of the example' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString());
      }),
    ],
  });
}
