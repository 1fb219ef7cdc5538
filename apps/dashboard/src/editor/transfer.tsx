import type { Editor } from '@tiptap/core';
import { Box, Button, FileButton, Stack, Textarea } from '@mantine/core';
import { Download, FileUp } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { withoutNulls, type JsonNode } from '../logic/document-json';
import { download } from '../parts/download';
import { FormModal } from '../parts/form-modal';
import { say, sayError } from '../parts/say';
import type { ContentType, OpenDocument } from './use-document';
import styles from './editor.module.css';

interface TransferProps {
  readonly editor: Editor;
  readonly type: ContentType;
  readonly document: OpenDocument;
}

/** Larger files are not read into the page. Smaller ones may still be more than the service takes, which it says. */
const maxFileBytes = 8 * 1024 * 1024;

/** The document as a file, and other files as the document. */
export function Transfer({ editor, type, document }: TransferProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const content = (): JsonNode => withoutNulls(editor.getJSON() as JsonNode);
  const exported = async (format: 'html' | 'mjml'): Promise<void> => {
    const body = { content: content() as never, resource_type: type, format };
    const { html, mjml } = await answer(api.POST('/editor/render', { body }));
    if (format === 'mjml') download(mjml ?? '', `${type}.mjml`, 'text/plain');
    else download(html, `${type}.html`, 'text/html');
  };
  return (
    <Stack gap={8} mt={8}>
      <Box component="p" mt={4} c="var(--text-3)" fz={12}>
        {t('editor:transfer.title')}
      </Box>
      <div className={styles.savedSectionButtons}>
        <Button
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => void exported('html').catch(sayError)}
        >
          {t('editor:transfer.html')}
        </Button>
        <Button
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => void exported('mjml').catch(sayError)}
        >
          {t('editor:transfer.mjml')}
        </Button>
        <Button
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => download(JSON.stringify(content(), null, 2), `${type}.json`, 'application/json')}
        >
          {t('editor:transfer.json')}
        </Button>
        {editor.isEditable ? (
          <Button variant="default" leftSection={<FileUp size={14} aria-hidden />} onClick={() => setOpen(true)}>
            {t('editor:transfer.import')}
          </Button>
        ) : null}
      </div>
      {isOpen ? <ImportDialog document={document} close={() => setOpen(false)} /> : null}
    </Stack>
  );
}

interface ImportDialogProps {
  readonly document: OpenDocument;
  readonly close: () => void;
}

function ImportDialog({ document, close }: ImportDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [isTooLarge, setTooLarge] = useState(false);
  const take = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const isLarge = file.size > maxFileBytes;
    const read = isLarge ? '' : await file.text();
    setTooLarge(isLarge);
    setText(read);
  };
  return (
    <FormModal
      opened
      close={close}
      title={t('editor:transfer.import')}
      action={t('editor:transfer.replace')}
      size={640}
      isReady={text.trim() !== ''}
      run={async () => {
        await document.saveNow();
        const { content, notes } = await documentOf(text);
        await document.replace(content);
        say(notes.length === 0 ? t('editor:transfer.done') : t('editor:transfer.doneBut', { notes: notes.join(' ') }));
      }}
    >
      <p className="quiet">{t('editor:transfer.importText')}</p>
      <FileButton accept=".html,.htm,.mjml,.json,text/html,application/json" onChange={(file) => void take(file)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<FileUp size={14} aria-hidden />}>
            {t('editor:transfer.file')}
          </Button>
        )}
      </FileButton>
      <Textarea
        data-autofocus
        label={t('editor:transfer.source')}
        value={text}
        error={isTooLarge ? t('editor:transfer.tooLarge') : undefined}
        autosize
        minRows={8}
        maxRows={16}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
        onChange={(event) => {
          setTooLarge(false);
          setText(event.currentTarget.value);
        }}
      />
    </FormModal>
  );
}

/** JSON is a document that was exported. MJML has its own name in it. Everything else is html. */
async function documentOf(text: string): Promise<{ content: JsonNode; notes: readonly string[] }> {
  if (text.trimStart().startsWith('{')) {
    const { content, notes } = await answer(
      api.POST('/editor/render', { body: { content: JSON.parse(text) as never } }),
    );
    return { content: content as unknown as JsonNode, notes };
  }
  const { content, notes } = await answer(
    api.POST('/editor/import', { body: /<mjml[\s>]/i.test(text) ? { mjml: text } : { html: text } }),
  );
  return { content: content as unknown as JsonNode, notes };
}
