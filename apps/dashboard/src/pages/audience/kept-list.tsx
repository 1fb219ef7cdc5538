import { ActionIcon, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../api/session';
import { ShortList } from '../../list/short-list';
import { usePages, type ReadPage } from '../../list/use-pages';
import { Confirm } from '../../parts/confirm';
import { say } from '../../parts/say';
import { Row } from '../../parts/section';
import { AudiencePage } from './audience-page';

interface KeptListProps<Thing> {
  /** The part of the words, and the key of the rows. */
  readonly kind: 'topics' | 'properties';
  readonly icon: LucideIcon;
  readonly read: ReadPage<Thing>;
  readonly remove: (id: string) => Promise<unknown>;
  readonly nameOf: (thing: Thing) => string;
  readonly iconOf?: (thing: Thing) => LucideIcon;
  readonly titleOf?: (thing: Thing) => ReactNode;
  readonly textOf: (thing: Thing) => string;
  /** Asks for the fields of a new one, or of one that is known. */
  readonly form: (known: Thing | undefined, close: () => void, saved: () => void) => ReactNode;
}

type Asking<Thing> = { readonly kind: 'add' } | { readonly kind: 'edit' | 'delete'; readonly thing: Thing };

/** What contacts are described by: few rows, made, edited and deleted in place. */
export function KeptList<Thing extends { readonly id: string }>(props: KeptListProps<Thing>) {
  const { kind, icon, read, remove, nameOf, iconOf, titleOf, textOf, form } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('audience:write');
  const [asking, setAsking] = useState<Asking<Thing>>();
  const rows = usePages<Thing>([kind], read);
  const close = (): void => setAsking(undefined);
  const changed = (): void => void client.invalidateQueries({ queryKey: [kind] });
  const add = mayWrite ? (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAsking({ kind: 'add' })}>
      {t(`audience:${kind}.add`)}
    </Button>
  ) : undefined;
  return (
    <AudiencePage actions={add}>
      <ShortList
        rows={rows}
        icon={icon}
        empty={t(`audience:${kind}.empty`)}
        emptyText={t(`audience:${kind}.emptyText`)}
        add={add}
        row={(thing) => {
          const Icon = iconOf?.(thing) ?? icon;
          const name = nameOf(thing);
          return (
            <Row
              key={thing.id}
              icon={<Icon size={16} aria-hidden />}
              title={titleOf?.(thing) ?? name}
              text={textOf(thing)}
            >
              {mayWrite ? (
                <>
                  <ActionIcon
                    aria-label={t(`audience:${kind}.editOne`, { name })}
                    onClick={() => setAsking({ kind: 'edit', thing })}
                  >
                    <Pencil size={15} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={t(`audience:${kind}.deleteOne`, { name })}
                    onClick={() => setAsking({ kind: 'delete', thing })}
                  >
                    <Trash2 size={15} aria-hidden />
                  </ActionIcon>
                </>
              ) : null}
            </Row>
          );
        }}
      />
      {asking === undefined || asking.kind === 'delete'
        ? null
        : form(asking.kind === 'edit' ? asking.thing : undefined, close, changed)}
      <Confirm
        opened={asking?.kind === 'delete'}
        close={close}
        title={t(`audience:${kind}.deleteTitle`, { name: asking?.kind === 'delete' ? nameOf(asking.thing) : '' })}
        action={t('audience:delete')}
        dangerous
        run={async () => {
          if (asking?.kind !== 'delete') return;
          await remove(asking.thing.id);
          say(t(`audience:${kind}.deleted`));
          changed();
        }}
      >
        <p>{t(`audience:${kind}.deleteText`)}</p>
      </Confirm>
    </AudiencePage>
  );
}
