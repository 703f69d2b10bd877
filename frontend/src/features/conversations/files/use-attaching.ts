import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AskedFile, ChatFile, FileId, Model } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useMemo, useSyncExternalStore } from 'react';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { upload } from '../../../lib/upload.ts';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { Attached, Attaching, FileUse } from '../state/attaching.ts';
import { useAttachingWords } from './use-attaching-words.ts';
import type { Drafts, Where } from '../state/drafts.ts';
import { useDrafts } from '../state/drafts-context.tsx';
import { addedBy, mostTokensOf, tokensOfImage, tokensOfPassages } from '../state/estimate.ts';
import { isImageName } from '../state/images.ts';
import { mostFiles } from '../state/question-limits.ts';
import { Uploads, type Upload } from '../state/uploads.ts';

const lookEveryMs = 1_500;
/** One object per app, because uploads continue on all pages. */
const ofDrafts = new WeakMap<Drafts, Uploads>();

function useUploads(): Uploads {
  const orgId = useTab().organisation.id;
  const drafts = useDrafts();
  const uploads = ofDrafts.get(drafts) ?? newUploads(drafts, orgId);
  ofDrafts.set(drafts, uploads);
  return uploads;
}

const newUploads = (drafts: Drafts, orgId: OrgId): Uploads =>
  new Uploads({
    drafts,
    send: ({ id, file }, onProgress) =>
      upload('POST /api/chat/files', { orgId, query: { id, name: file.name }, file, onProgress }),
  });

/** Returns the files of a draft: the uploading ones and the stored ones, with how the model uses them. */
export function useAttaching(where: Where, model: Model | null): Attaching {
  const drafts = useDrafts();
  const uploads = useUploads();
  const asked = useSyncExternalStore(drafts.watch, () => drafts.read(where).files);
  const all = useSyncExternalStore(uploads.watch, () => uploads.all);
  const files = useFiles(asked.map(({ id }) => id));
  const mostTokens = mostTokensOf(model);
  const own = useMemo(() => all.filter((one) => one.where === where), [all, where]);
  const attached = useMemo(() => {
    const fileOf = (id: FileId) => files.find((file) => file.id === id) ?? uploads.stored.get(id) ?? null;
    const known = asked.map(({ id, use }) => ({
      id,
      use,
      file: fileOf(id),
      preview: uploads.previews.get(id) ?? null,
    }));
    return withUse(known, model);
  }, [asked, files, model, uploads]);
  const count = (...states: readonly string[]) =>
    own.filter(({ state }) => states.includes(state)).length +
    attached.filter(({ file }) => states.includes(file?.status ?? 'waiting')).length;
  const { reason, hint, whenReady, isFlawed } = useAttachingWords({
    waiting: count('waiting', 'sending', 'stored', 'reading'),
    failed: count('failed', 'refused'),
  });
  const searched = attached.flatMap(({ file, use }) => (file?.status === 'ready' && use === 'searched' ? file : []));
  const tokens = attached.reduce((sum, one) => sum + (one.tokens ?? 0), tokensOfPassages(searched, model));
  const images = attached.filter(isImage).length + own.filter(isImageUpload).length;
  // Keeps the same object, so that the composer renders only after a change.
  return useMemo(
    () => ({
      isKnown: true,
      attached,
      uploads: own,
      cards: uploads.among(attached, own),
      asked,
      images,
      tokens,
      mostTokens,
      reason,
      hint,
      whenReady,
      isFlawed,
    }),
    [asked, attached, hint, images, isFlawed, mostTokens, own, reason, tokens, uploads, whenReady],
  );
}

const isImage = ({ use }: Attached): boolean => use === 'image';
const isImageUpload = (upload: Upload): boolean => upload.isImage;

const none: readonly ChatFile[] = [];

function useFiles(ids: readonly FileId[]): readonly ChatFile[] {
  const orgId = useTab().organisation.id;
  const { data } = useQuery({
    queryKey: resourceKey('files', orgId, ids.join(',')),
    queryFn: ({ signal }) => api('GET /api/chat/files', { orgId, query: { ids: ids.join(',') }, signal }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isBeingRead) ? lookEveryMs : false),
  });
  return data?.items ?? none;
}

const isBeingRead = ({ status }: ChatFile): boolean => status === 'stored' || status === 'reading';

/** Adds the use of each file, decided like on the server; an image is always used as an image. */
function withUse(
  files: readonly (Omit<Attached, 'use' | 'tokens' | 'isLeftOut'> & Pick<AskedFile, 'use'>)[],
  model: Model | null,
): readonly Attached[] {
  const added = addedBy(
    files.map(({ file, use }) => ({ file, isSearched: use === 'searched' })),
    model,
  );
  return files.map(({ use: _wanted, ...attached }, at) => {
    const { file } = attached;
    const tokens = added[at] ?? null;
    if (!file || !isImageName(file.name))
      return { ...attached, tokens, use: tokens === null ? 'searched' : 'whole', isLeftOut: false };
    const isLeftOut = tokens === null && Boolean(model?.context) && tokensOfImage(file, model) !== null;
    return { ...attached, tokens, use: 'image', isLeftOut };
  });
}

export type FileCommands = {
  readonly add: (files: readonly File[]) => void;
  readonly remove: (id: FileId) => void;
  readonly retry: (id: FileId) => void;
  readonly use: (id: FileId, use: FileUse) => void;
};

/** Returns functions that add files to a draft and remove them. */
export function useFileCommands(where: Where): FileCommands {
  const orgId = useTab().organisation.id;
  const drafts = useDrafts();
  const uploads = useUploads();
  const client = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const { t } = useText();
  return useMemo(() => {
    const readAgain = async (fileId: FileId) => {
      try {
        await api('POST /api/chat/files/:fileId/retry', { orgId, params: { fileId } });
        await client.invalidateQueries({ queryKey: resourceKey('files', orgId) });
      } catch (error) {
        showError(error);
      }
    };
    return {
      add: (files) => {
        const left = uploads.add(where, files);
        if (left > 0)
          toast({
            text: t(
              {
                id: 'files.attach.tooMany',
                defaultMessage:
                  'A message can have {most, number} files. {left, plural, one {# file was} other {# files were}} left out.',
              },
              { most: mostFiles, left },
            ),
          });
      },
      remove: (id) => {
        uploads.remove(id);
        drafts.detach(where, id);
      },
      retry: (id) => (uploads.all.some((upload) => upload.id === id) ? uploads.retry(id) : void readAgain(id)),
      use: (id, use) => drafts.use(where, { id, use }),
    };
  }, [orgId, drafts, uploads, client, toast, showError, t, where]);
}
