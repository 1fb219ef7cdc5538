import { Button, FileButton, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Search, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { useMay } from '../api/session';
import { bytesText } from '../logic/bytes';
import { sayError } from '../parts/say';
import { shownSource } from './block-styles';
import { storeImage, type StoredImage } from './images';
import styles from './image-library.module.css';

interface ImageLibraryProps {
  readonly close: () => void;
  readonly choose: (image: { src: string; alt: string; width: number }) => void;
}

/** The images of the team: searched, added, described, and removed. */
export function ImageLibrary({ close, choose }: ImageLibraryProps) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('templates:write');
  const [search, setSearch] = useState('');
  const [searched] = useDebouncedValue(search, 250);
  const [chosen, setChosen] = useState<StoredImage>();
  const [alt, setAlt] = useState('');
  const [isBusy, setBusy] = useState(false);
  const images = useInfiniteQuery({
    queryKey: ['images', searched],
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/images', {
          params: { query: { limit: 60, after: pageParam, search: searched === '' ? undefined : searched } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data, has_more: hasMore }) => (hasMore ? data.at(-1)?.id : undefined),
  });
  const all = images.data?.pages.flatMap(({ data }) => data) ?? [];
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['images'] });
  const select = (image: StoredImage): void => {
    setChosen(image);
    setAlt(image.alt);
  };
  const upload = async (files: readonly File[]): Promise<void> => {
    setBusy(true);
    try {
      for (const file of files) select(await storeImage(file));
      await refresh();
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t('editor:images.title')}
      size={860}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <div className={styles.tools}>
        <TextInput
          aria-label={t('editor:images.search')}
          placeholder={t('editor:images.search')}
          leftSection={<Search size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {mayWrite ? (
          <FileButton
            multiple
            accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
            onChange={(files) => void upload(files)}
          >
            {(props) => (
              <Button {...props} loading={isBusy} leftSection={<Upload size={14} aria-hidden />}>
                {t('editor:images.upload')}
              </Button>
            )}
          </FileButton>
        ) : null}
      </div>
      <div className={styles.library}>
        <div
          className={styles.grid}
          role="listbox"
          aria-label={t('editor:images.title')}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            if (mayWrite) void upload([...event.dataTransfer.files].filter(({ type }) => type.startsWith('image/')));
          }}
        >
          {all.map((image) => (
            <button
              key={image.id}
              type="button"
              role="option"
              aria-selected={chosen?.id === image.id}
              className={styles.image}
              onClick={() => select(image)}
              onDoubleClick={() => choose({ src: image.url, alt: image.alt, width: image.width })}
            >
              <img src={shownSource(image.url)} alt={image.alt} loading="lazy" />
              <span className="cut">{image.name}</span>
            </button>
          ))}
          {all.length === 0 && !images.isPending ? (
            <p className={styles.none}>{t(searched === '' ? 'editor:images.none' : 'editor:nothingFound')}</p>
          ) : null}
          {images.hasNextPage ? (
            <Button variant="subtle" loading={images.isFetchingNextPage} onClick={() => void images.fetchNextPage()}>
              {t('editor:images.older')}
            </Button>
          ) : null}
        </div>
        {chosen === undefined ? null : (
          <div className={styles.detail}>
            <img src={shownSource(chosen.url)} alt={chosen.alt} />
            <p className="quiet">
              {chosen.width} × {chosen.height} · {bytesText(chosen.size, i18n.language)}
            </p>
            <TextInput
              label={t('editor:field.alt')}
              description={t('editor:panel.altText')}
              value={alt}
              readOnly={!mayWrite}
              maxLength={500}
              onChange={(event) => setAlt(event.currentTarget.value)}
              onBlur={() => {
                if (alt === chosen.alt) return;
                void answer(api.PATCH('/images/{id}', { params: { path: { id: chosen.id } }, body: { alt } }))
                  .then((described) => {
                    setChosen((now) => (now?.id === described.id ? described : now));
                    return refresh();
                  })
                  .catch(sayError);
              }}
            />
            <Button onClick={() => choose({ src: chosen.url, alt, width: chosen.width })}>
              {t('editor:images.use')}
            </Button>
            {mayWrite ? (
              <Button
                variant="subtle"
                color="red"
                leftSection={<Trash2 size={14} aria-hidden />}
                onClick={() =>
                  void answer(api.DELETE('/images/{id}', { params: { path: { id: chosen.id } } }))
                    .then(() => {
                      setChosen(undefined);
                      return refresh();
                    })
                    .catch(sayError)
                }
              >
                {t('editor:images.remove')}
              </Button>
            ) : null}
          </div>
        )}
      </div>
    </Modal>
  );
}
