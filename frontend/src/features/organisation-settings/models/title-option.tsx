import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TitleSetting } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../parts/organisation-settings.module.css';

/** Whether models write the titles of chats; saved as it is changed. */
export function TitleOption() {
  const { t } = useText();
  const off = useActionOff();
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const queryKey = resourceKey('providers', orgId, 'titles');
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api('GET /api/chat/title-setting', { orgId, signal }),
  });
  const change = useMutation({
    mutationFn: (body: Pick<TitleSetting, 'isOn' | 'version'>) =>
      api('PUT /api/chat/title-setting', { orgId, body, retries: 2 }),
    onSuccess: (setting) => client.setQueryData(queryKey, setting),
    onError: () => client.invalidateQueries({ queryKey }),
  });
  if (!data) return null;
  const isOn = change.isPending ? change.variables.isOn : data.isOn;
  return (
    <div className={classes.option}>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={isOn}
          disabled={off !== null || change.isPending}
          onChange={({ currentTarget: { checked } }) => change.mutate({ isOn: checked, version: data.version })}
        />
        <span>
          {t({ id: 'organisation.titles.label', defaultMessage: 'Have models write the titles of chats' })}
          <span className="p-meta" style={{ display: 'block' }}>
            {t({
              id: 'organisation.titles.about',
              defaultMessage:
                'After the first answer the model that wrote it names the chat, once. It counts as usage of the person who asked. Without it the title is the shortened question.',
            })}
          </span>
        </span>
      </label>
      <ErrorNote error={change.error} />
    </div>
  );
}
