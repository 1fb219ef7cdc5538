import { Box, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../api/client';
import { useFilters } from '../../list/filters';
import { useIsNarrow } from '../../list/list';
import { operationsOf, type ApiDocument, type Operation } from '../../logic/open-api';
import { Page } from '../../parts/page';
import { ErrorState } from '../../parts/states';
import { OperationView } from './operation-view';
import styles from './reference.module.css';

/** Every operation of the API, from the program's own description, to read and to try. */
export function ReferencePage() {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [values, change] = useFilters(['operation']);
  const [text, setText] = useState('');
  const document = useQuery({
    queryKey: ['openapi'],
    queryFn: () => request<ApiDocument>('/openapi.json'),
    staleTime: Infinity,
  });
  const operations = useMemo(() => (document.data === undefined ? [] : operationsOf(document.data)), [document.data]);
  const wanted = text.trim().toLowerCase();
  const shown = operations.filter(({ method, path, summary }) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(wanted),
  );
  const tags = [...new Set(shown.map(({ tag }) => tag))];
  const current =
    operations.find(({ id }) => id === values.operation) ??
    (isNarrow ? undefined : operations.find(({ id }) => id === 'sendEmail'));
  return (
    <Page
      title={t('reference:title')}
      actions={
        <a href="/openapi.json" target="_blank" rel="noreferrer">
          openapi.json
        </a>
      }
    >
      {document.error !== null ? (
        <ErrorState error={document.error} retry={() => void document.refetch()} />
      ) : (
        <div className={styles.reference} data-open={current === undefined ? undefined : true}>
          <nav className={styles.list} aria-label={t('reference:operations')}>
            <TextInput
              type="search"
              aria-label={t('reference:search')}
              placeholder={t('reference:search')}
              leftSection={<Search size={14} aria-hidden />}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {document.data === undefined
              ? Array.from({ length: 18 }, (_, line) => (
                  <Skeleton key={line} height={12} my={5} width={`${60 + ((line * 13) % 35)}%`} />
                ))
              : null}
            {tags.map((tag) => (
              <section key={tag} aria-label={tag}>
                <Box component="h2" py={4} px={8} c="var(--text-3)" fz={12} fw={500}>
                  {tag}
                </Box>
                <ul>
                  {shown
                    .filter((operation) => operation.tag === tag)
                    .map((operation) => (
                      <Item
                        key={operation.id}
                        operation={operation}
                        isCurrent={operation === current}
                        open={() => change({ operation: operation.id })}
                      />
                    ))}
                </ul>
              </section>
            ))}
          </nav>
          {current === undefined || document.data === undefined ? null : (
            <OperationView
              key={current.id}
              document={document.data}
              operation={current}
              close={() => change({ operation: undefined })}
            />
          )}
        </div>
      )}
    </Page>
  );
}

function Item(props: { readonly operation: Operation; readonly isCurrent: boolean; readonly open: () => void }) {
  const { operation, isCurrent, open } = props;
  return (
    <li>
      <button type="button" className={styles.item} aria-current={isCurrent ? 'page' : undefined} onClick={open}>
        <span className={styles.method} data-method={operation.method}>
          {operation.method}
        </span>
        <span className="cut">{operation.summary}</span>
      </button>
    </li>
  );
}
