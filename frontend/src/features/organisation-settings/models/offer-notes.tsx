import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Provider, ProviderOffer } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../parts/organisation-settings.module.css';
import { useRefreshProviders } from './use-refresh-providers.ts';

/** Model servers found on this machine, for platform admins: one click takes them over. */
export function OfferNotes({ providers }: { providers: readonly Provider[] | undefined }) {
  const { organisation } = useTab();
  const { data: offers } = useQuery({
    queryKey: resourceKey('provider-offers', organisation.id),
    queryFn: ({ signal }) => api('GET /api/chat/provider-offers', { orgId: organisation.id, signal }),
  });
  const open =
    offers?.items.filter((offer) => !providers?.some((provider) => provider.baseUrl === offer.baseUrl)) ?? [];
  if (open.length === 0) return null;
  return (
    <div className={classes.offers}>
      {open.map((offer) => (
        <Offer key={offer.source + offer.baseUrl} offer={offer} isFirst={providers?.length === 0} />
      ))}
    </div>
  );
}

function Offer({ offer, isFirst }: { offer: ProviderOffer; isFirst: boolean }) {
  const { t, rich } = useText();
  const describe = useProblemText();
  const refresh = useRefreshProviders();
  const { organisation } = useTab();
  const accept = useMutation({
    mutationFn: () =>
      api('POST /api/chat/provider-offers/accept', {
        orgId: organisation.id,
        body: {
          id: newId('provider'),
          source: offer.source,
          baseUrl: offer.baseUrl,
          defaultModel: offer.models[0] ?? '',
          isDefault: isFirst,
        },
        retries: 2,
      }),
    onSuccess: refresh,
  });
  const off = useActionOff();
  const values = {
    name: (
      <b>
        <bdi>{offer.name}</bdi>
      </b>
    ),
    count: offer.models.length,
    address: (
      <bdi className="p-mono" dir="ltr">
        {offer.baseUrl}
      </bdi>
    ),
  };
  const action =
    offer.models.length > 0 ? (
      <Button size="xs" variant="default" loading={accept.isPending} onClick={() => accept.mutate()} {...off}>
        {t({ id: 'organisation.offer.accept', defaultMessage: 'Accept {name}' }, { name: offer.name })}
      </Button>
    ) : null;
  return (
    <Note kind={accept.error ? 'danger' : 'info'} actions={action}>
      {offer.source === 'environment'
        ? rich(
            {
              id: 'organisation.offer.environment',
              defaultMessage:
                'The environment of this server holds a key for {name} at {address}. Accepting it lets members of this organisation ask it.',
            },
            values,
          )
        : rich(
            {
              id: 'organisation.offer.found',
              defaultMessage:
                '{name} runs on this machine at {address} with {count, plural, =0 {no model yet} one {# model} other {# models}}. Accepting it is also the consent to call that address.',
            },
            values,
          )}
      {accept.error ? <div role="alert">{describe(accept.error).text}</div> : null}
    </Note>
  );
}
