import type { Editor } from '@tiptap/core';
import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { namesIn } from '../logic/document-json';
import { firstDocument } from '../logic/first-document';
import { propertiesQuery } from '../pages/audience/audience-queries';
import { Alert } from '../parts/alert';
import { Confirm } from '../parts/confirm';
import { say, sayError } from '../parts/say';
import { ErrorState } from '../parts/states';
import { setFooterDefaults } from './block-labels';
import { DocumentPanel } from './document-panel';
import { EmailEditor } from './email-editor';
import type { VariableName } from './insert-popup';
import type { ContentType, OpenDocument } from './use-document';
import { uploadImage } from './images';
import styles from './content-editor.module.css';

const ImageLibrary = lazy(async () => ({ default: (await import('./image-library')).ImageLibrary }));

interface ContentEditorProps {
  readonly type: ContentType;
  readonly id: string;
  readonly document: OpenDocument;
  readonly mayWrite: boolean;
  /** Variables of a template, with their types. */
  readonly variables?: readonly { readonly key: string; readonly type: string }[];
  readonly head?: ReactNode;
  readonly label: string;
  /** Why the content could not be saved or sent. */
  readonly refusal?: unknown;
  /** Whether the content is written by hand: the document is only looked at until it is taken again. */
  readonly isByHand: boolean;
  /** Before the document takes the place of html: what is still being written goes to the server, and is kept there. */
  readonly beforeTaken: () => Promise<void>;
  /** The document is what the content is made of from now on. */
  readonly taken: () => void;
}

/** The document of a broadcast or a template: canvas, panel, and what has to be said about them. */
export function ContentEditor(props: ContentEditorProps) {
  const { type, id, document, mayWrite, variables = [], head, isByHand, refusal } = props;
  const [library, setLibrary] = useState<((image: { src: string; alt: string; width: number }) => void) | undefined>();
  const names = useVariableNames(type, variables, document);
  const { styles: emailStyles } = document;
  setFooterDefaults({ address: emailStyles?.address ?? '', isBroadcast: type === 'broadcast' });
  if (document.error !== null && document.error !== undefined) {
    return <ErrorState error={document.error} retry={() => void document.reload()} />;
  }
  if (document.isLoading || emailStyles === undefined) return <div className={styles.loading} aria-busy="true" />;
  return (
    <section className={styles.content} aria-label={props.label}>
      <Banners {...props} />
      {refusal === undefined || document.saving === 'refused' ? null : (
        <Box py={8} px={24}>
          <Alert error={refusal} />
        </Box>
      )}
      <EmailEditor
        type={type}
        documentKey={document.key}
        read={document.read}
        styles={emailStyles}
        editable={mayWrite && document.mayWrite && !isByHand}
        variables={names}
        lists={variables.filter(({ type: kind }) => kind === 'list').map(({ key }) => key)}
        changed={document.changed}
        attach={document.attach}
        room={document.room}
        upload={async (file) => {
          try {
            return await uploadImage(file);
          } catch (error) {
            sayError(error);
            throw error;
          }
        }}
        chooseImage={mayWrite ? (choose) => setLibrary(() => choose) : undefined}
        head={head}
        panel={(editor: Editor, help) => (
          <DocumentPanel editor={editor} type={type} id={id} document={document} help={help} />
        )}
      />
      {library === undefined ? null : (
        <Suspense fallback={null}>
          <ImageLibrary
            close={() => setLibrary(undefined)}
            choose={(image) => {
              library(image);
              setLibrary(undefined);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}

/** Fields of contacts, their properties, and the variables of the template. */
function useVariableNames(
  type: ContentType,
  variables: ContentEditorProps['variables'],
  document: OpenDocument,
): readonly VariableName[] {
  const { t } = useTranslation();
  const properties = useQuery(propertiesQuery).data ?? [];
  const contact = t('editor:group.contact');
  const isSettled = document.saving === 'clean' || document.saving === 'saved';
  const known = useMemo(() => namesIn(document.read()), [document.key, isSettled]);
  return [
    ...(['first_name', 'last_name', 'email'] as const).map((name) => ({
      name: `contact.${name}`,
      label: t(`audience:filter.field.${name}`),
      group: contact,
    })),
    ...properties.map(({ key }) => ({ name: `contact.${key}`, label: key, group: t('audience:properties.title') })),
    ...(variables ?? []).map(({ key }) => ({ name: key, label: key, group: t('editor:group.template') })),
    ...known.variables
      .filter((name) => name.startsWith('this'))
      .map((name) => ({ name, label: name, group: t('editor:group.list') })),
    ...(known.lists.length > 0 ? [{ name: 'this.name', label: 'this.name', group: t('editor:group.list') }] : []),
    ...(type === 'broadcast'
      ? [{ name: 'RESEND_UNSUBSCRIBE_URL', label: t('editor:unsubscribeLink'), group: t('editor:group.links') }]
      : []),
  ].filter(({ name }, no, all) => all.findIndex((each) => each.name === name) === no);
}

type BannersProps = Pick<ContentEditorProps, 'document' | 'mayWrite' | 'isByHand' | 'beforeTaken' | 'taken'>;

function Banners({ document, mayWrite, isByHand, beforeTaken, taken }: BannersProps) {
  const { t, i18n } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const run = (action: () => Promise<void>) => () => {
    setBusy(true);
    void action()
      .catch(sayError)
      .finally(() => setBusy(false));
  };
  if (document.saving === 'conflict') {
    return (
      <div className={styles.banner} data-tone="wait" role="alert">
        <span>{t('editor:conflict.text')}</span>
        <Button
          variant="default"
          loading={isBusy}
          onClick={run(async () => {
            await document.keepAside(t('editor:conflict.name', { date: new Date().toLocaleString() }));
            say(t('editor:conflict.kept'));
          })}
        >
          {t('editor:conflict.theirs')}
        </Button>
        <Button variant="default" loading={isBusy} onClick={run(document.overwrite)}>
          {t('editor:conflict.mine')}
        </Button>
      </div>
    );
  }
  if (isByHand && mayWrite) {
    const first = firstDocument(
      { title: t('editor:first.title'), text: t('editor:first.text'), button: t('editor:first.button') },
      i18n.language,
    );
    return (
      <div className={styles.banner} data-tone="wait" role="status">
        <span>{t(document.isEmpty ? 'editor:old.none' : 'editor:old.text')}</span>
        <Button variant="default" onClick={() => setWarned(true)}>
          {t(document.isEmpty ? 'editor:old.begin' : 'editor:old.use')}
        </Button>
        <Confirm
          opened={isWarned}
          close={() => setWarned(false)}
          title={t(document.isEmpty ? 'editor:old.begin' : 'editor:old.use')}
          action={t(document.isEmpty ? 'editor:old.begin' : 'editor:old.use')}
          run={async () => {
            await beforeTaken();
            await document.replace(document.isEmpty ? first : document.read());
            taken();
          }}
        >
          <p>{t('editor:old.warning')}</p>
        </Confirm>
      </div>
    );
  }
  if (document.saving === 'offline') {
    return (
      <div className={styles.banner} data-tone="wait" role="status">
        <span>{t('editor:offline')}</span>
      </div>
    );
  }
  return document.saving === 'refused' ? (
    <Box py={8} px={24}>
      <Alert error={document.refusal} />
    </Box>
  ) : null;
}
