import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { OrgId } from '@parley/protocol';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { renderVisitor } from '../testing/render.tsx';
import { sampleMe, sampleOrganisation } from '../testing/samples.ts';
import { closestPage } from './not-found-page.tsx';
import { pathsOf } from '../lib/paths.ts';
import { chooseOrganisation, useFormerOrganisation, useTabOrganisation } from './tab-organisation-choice.ts';

const [first, second, third] = ['a', 'b', 'c'].map((slug, index) => ({
  ...sampleOrganisation,
  slug,
  id: `org_${String(index).padStart(26, '0')}` as OrgId,
}));
const all = [first, second, third].filter((organisation) => organisation !== undefined);
const choose = (wish: { slug?: string; stored?: string; defaultOrgId?: string }) =>
  chooseOrganisation(all, {
    slug: wish.slug ?? null,
    stored: wish.stored ?? null,
    defaultOrgId: wish.defaultOrgId ?? null,
  })?.slug;

describe('the organisation of a tab', () => {
  it('comes from the address, then from this tab, then from the default, then is the first', () => {
    expect(choose({ slug: 'b', stored: third?.id ?? '', defaultOrgId: first?.id ?? '' })).toBe('b');
    expect(choose({ stored: third?.id ?? '', defaultOrgId: second?.id ?? '' })).toBe('c');
    expect(choose({ defaultOrgId: second?.id ?? '' })).toBe('b');
    expect(choose({})).toBe('a');
  });

  it('is in every link, so two tabs never mix', () => {
    expect(pathsOf('en', 'b').to('settings/data-connections')).toBe('/en/settings/data-connections?org=b');
    expect(pathsOf('ar', null).to('chat')).toBe('/ar/chat');
  });
});

function Address() {
  useTabOrganisation({ me: sampleMe, organisations: [sampleOrganisation] });
  const { search, hash } = useLocation();
  return <p>{search + hash}</p>;
}

it('is put into an address without one, whose message stays named', async () => {
  renderVisitor(<Address />, { path: '/:locale/chat/:id', at: '/en/chat/cnv_1?share=1#msg_1' });
  expect(await screen.findByText('?share=1&org=lindmoor#msg_1')).toBeInTheDocument();
});

function Former() {
  const [mine, setMine] = useState(all);
  const former = useFormerOrganisation(mine);
  return (
    <>
      <p>{former ? `no longer ${former.slug}` : 'as ever'}</p>
      {all.map(({ slug }) => (
        <button key={slug} onClick={() => setMine((now) => now.filter((kept) => kept.slug !== slug))}>
          without {slug}
        </button>
      ))}
      <button onClick={() => setMine((now) => now.map((kept) => ({ ...kept, slug: `${kept.slug}-new` })))}>
        rename
      </button>
    </>
  );
}

describe('an organisation that is mine no more', () => {
  const show = () => renderVisitor(<Former />, { path: '/:locale/chat', at: '/en/chat?org=b' });

  it('is known while the address names it', async () => {
    show();
    await userEvent.click(screen.getByRole('button', { name: 'without a' }));
    expect(screen.getByText('as ever')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'without b' }));
    expect(screen.getByText('no longer b')).toBeInTheDocument();
  });

  it('is not one that has another URL name now', async () => {
    show();
    await userEvent.click(screen.getByRole('button', { name: 'rename' }));
    expect(screen.getByText('as ever')).toBeInTheDocument();
  });
});

describe('an address that does not exist', () => {
  const pages = [
    { path: '/en/settings/data-connections?org=b', label: 'Data connections' },
    { path: '/en/chat', label: 'Chat' },
  ];

  it('is met with the page that was nearly typed', () => {
    expect(closestPage('/en/settings/data-conections', pages)?.label).toBe('Data connections');
    expect(closestPage('/en/settings/billing', pages)).toBeNull();
  });
});
