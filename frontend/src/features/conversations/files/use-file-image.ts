import { useQuery } from '@tanstack/react-query';
import type { FileId } from '@parley/contracts';
import { fetchFile } from '../../../lib/download.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

/**
 * Returns an image of a chat as models see it, once it is ready; it never changes. Fetches the image, because an `img`
 * element wouldn't send the tab's organisation.
 */
export function useFileImage(fileId: FileId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('passages', orgId, 'image', fileId),
    queryFn: async ({ signal }) => {
      const bytes = await fetchFile('GET /api/chat/files/:fileId/image', { orgId, params: { fileId }, signal });
      return new Blob([bytes], { type: 'image/jpeg' });
    },
    staleTime: 'static',
  });
}
