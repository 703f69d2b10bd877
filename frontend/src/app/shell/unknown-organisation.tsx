import { Button } from '@mantine/core';
import { Building2 } from 'lucide-react';
import { LateTexts } from '../../lib/late-texts.tsx';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { Page } from '../../ui/page.tsx';
import { StateView } from '../../ui/state-view.tsx';

/** The address names an organisation that is none of mine; nothing of another one is shown in its place. */
export const UnknownOrganisation = (props: { slug: string }) => (
  <LateTexts part="ended">
    <Unknown {...props} />
  </LateTexts>
);

function Unknown({ slug }: { slug: string }) {
  const { t } = useText();
  const { organisation, switchTo } = useTab();
  const title = t({ id: 'ended.unknown.title', defaultMessage: 'Organisation not found' });
  const open = (
    <Button size="xs" onClick={() => switchTo(organisation)}>
      {t({ id: 'ended.unknown.open', defaultMessage: 'Open {name}' }, { name: organisation.name })}
    </Button>
  );
  return (
    <Page title={title}>
      <StateView
        icon={Building2}
        title={t({ id: 'ended.unknown.what', defaultMessage: 'You are not a member of “{slug}”' }, { slug })}
        actions={open}
      >
        {t({
          id: 'ended.unknown.why',
          defaultMessage:
            'The link belongs to an organisation that does not exist or that you are not a member of. Ask the person who sent it to invite you.',
        })}
      </StateView>
    </Page>
  );
}
