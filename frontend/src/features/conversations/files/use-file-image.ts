import { useQuery } from '@tanstack/react-query';
import type { FileId } from '@parley/contracts';
import { fetchFile } from '../../../lib/download.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

/**
 * An image of a chat as models see it, once it is ready; it never changes. Fetched, not named as the source of an element:
 * a browser says nothing of the tab's organisation when it loads one, and the server would look in the person's first.
 */
export function useFileImage(fileId: FileId, isReady = true) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('passages', orgId, 'image', fileId),
    queryFn: async ({ signal }) => {
      const bytes = await fetchFile('GET /api/chat/files/:fileId/image', { orgId, params: { fileId }, signal });
      return new Blob([bytes], { type: 'image/jpeg' });
    },
    enabled: isReady,
    staleTime: 'static',
  });
}
