import type { Editor } from '@tiptap/core';
import { NodeSelection, type EditorState } from '@tiptap/pm/state';
import { ActionIcon, Button, Flex, TextInput, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BookmarkPlus, Unlink } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../api/session';
import type { JsonNode } from '../logic/document-json';
import { asSection, copyOf, isSameSection } from '../logic/saved-section';
import { FormModal } from '../parts/form-modal';
import { say, sayError } from '../parts/say';
import { ApplySection } from './apply-section';
import { chosenBlocks, isMovable, setAttributes, type Block } from './block-commands';
import { saveSection, savedSectionQuery, updateSection } from './saved-sections';
import styles from './editor.module.css';

interface ChosenRange {
  readonly from: number;
  readonly to: number;
  readonly nodes: readonly JsonNode[];
}

/** The blocks that the selection reaches, all among the same neighbours. */
function chosenRange(state: EditorState): ChosenRange | undefined {
  const { selection, doc } = state;
  const block = chosenBlocks(state).find((each) => isMovable(state, each));
  if (block === undefined) return undefined;
  const single = { from: block.pos, to: block.pos + block.node.nodeSize, nodes: [block.node.toJSON() as JsonNode] };
  if (selection instanceof NodeSelection || selection.empty) return single;
  const { $from, $to } = selection;
  const depth = $from.sharedDepth($to.pos);
  for (let at = depth; at >= 0; at--) {
    const [from, to] = [$from.index(at), $to.index(at)];
    const parent = $from.node(at);
    const first = $from.posAtIndex(from, at);
    if (at > 0 && !isMovable(state, { node: parent.child(from), pos: first })) continue;
    if (at === 0 && parent !== doc) continue;
    const nodes = Array.from({ length: to - from + 1 }, (_, no) => parent.child(from + no));
    const size = nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
    return { from: first, to: first + size, nodes: nodes.map((node) => node.toJSON() as JsonNode) };
  }
  return single;
}

interface SaveAsSectionProps {
  readonly editor: Editor;
}

/** Saves the chosen blocks for other documents. They become a copy of what was saved. */
export function SaveAsSection({ editor }: SaveAsSectionProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('templates:write');
  const [range, setRange] = useState<ChosenRange>();
  const [name, setName] = useState('');
  const now = chosenRange(editor.state);
  if (!mayWrite || now === undefined || now.nodes.some(({ type }) => type === 'footer' || type === 'previewText')) {
    return null;
  }
  return (
    <>
      <Tooltip label={t('editor:sections.save')}>
        <ActionIcon aria-label={t('editor:sections.save')} onClick={() => setRange(now)}>
          <BookmarkPlus size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <FormModal
        opened={range !== undefined}
        close={() => setRange(undefined)}
        title={t('editor:sections.save')}
        action={t('common:save')}
        isReady={name.trim() !== ''}
        run={async () => {
          if (range === undefined) return;
          const section = asSection(range.nodes);
          const id = await saveSection(name.trim(), section);
          await client.invalidateQueries({ queryKey: ['saved-sections'] });
          const { state, view } = editor;
          const copy = state.schema.nodeFromJSON(copyOf(section, id));
          const transaction = state.tr.replaceWith(range.from, range.to, copy);
          view.dispatch(transaction.setSelection(NodeSelection.create(transaction.doc, range.from)));
          setName('');
          say(t('editor:sections.saved'));
        }}
      >
        <p className="quiet">{t('editor:sections.saveText')}</p>
        <TextInput
          data-autofocus
          label={t('editor:sections.name')}
          value={name}
          maxLength={120}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </FormModal>
    </>
  );
}

interface SavedSectionNoteProps {
  readonly editor: Editor;
  /** The section that is a copy. */
  readonly block: Block;
  /** Of the broadcast or the template that is open. */
  readonly documentId: string;
  /** Resolves once the open document is on the server. */
  readonly saveNow: () => Promise<void>;
}

/** Says which saved section the blocks are a copy of, and takes changes over for all documents. */
export function SavedSectionNote({ editor, block, documentId, saveNow }: SavedSectionNoteProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('templates:write');
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const id = String(block.node.attrs.savedId);
  const known = useQuery(savedSectionQuery(id));
  const node = block.node.toJSON() as JsonNode;
  const isChanged = known.data !== undefined && !isSameSection(node, known.data.node);
  const update = async (): Promise<void> => {
    setBusy(true);
    try {
      const { space: _, ...attrs } = node.attrs ?? {};
      await updateSection(id, { node: asSection([{ ...node, attrs }]) });
      await client.invalidateQueries({ queryKey: ['saved-sections'] });
      setAsking(true);
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.savedSection}>
      <p>
        {known.error === null
          ? t('editor:sections.copy', { name: known.data?.name ?? '…' })
          : t('editor:sections.removed')}
      </p>
      {editor.isEditable && mayWrite ? (
        <Flex gap={8} wrap="wrap">
          {isChanged ? (
            <Button loading={isBusy} onClick={() => void update()}>
              {t('editor:sections.update')}
            </Button>
          ) : null}
          <Button
            variant="default"
            leftSection={<Unlink size={14} aria-hidden />}
            onClick={() => setAttributes(editor, block, { savedId: undefined })}
          >
            {t('editor:sections.detach')}
          </Button>
        </Flex>
      ) : null}
      {isAsking ? (
        <ApplySection
          id={id}
          name={known.data?.name ?? ''}
          except={documentId}
          before={saveNow}
          close={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}
