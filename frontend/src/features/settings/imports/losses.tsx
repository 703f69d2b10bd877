import { Button, Modal } from '@mantine/core';
import type { ChatImport } from '@parley/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { api } from '../../../lib/http.ts';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { pagingOf } from '../../../lib/use-list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { isOfPart, useImportName, useLossWords } from './import-words.ts';
import classes from './imports.module.css';

type Props = { readonly item: ChatImport };

/** Opens the list of what is not imported. */
export function ShowLosses({ item }: Props) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const title = t({ id: 'settings.import.losses.title', defaultMessage: 'Not imported' });
  return (
    <>
      <Button variant="default" size="xs" className={classes.losses} onClick={() => setOpen(true)}>
        {t(
          {
            id: 'settings.import.losses.open',
            defaultMessage:
              '{count, plural, one {Show # item that wasn’t imported} other {Show # items that weren’t imported}}',
          },
          { count: item.losses },
        )}
      </Button>
      {isOpen ? (
        <Modal
          opened
          onClose={() => setOpen(false)}
          size="44rem"
          padding="lg"
          closeButtonProps={{ 'aria-label': t({ id: 'settings.import.losses.close', defaultMessage: 'Close' }) }}
          title={<span className="p-h2">{title}</span>}
        >
          <Losses item={item} />
        </Modal>
      ) : null}
    </>
  );
}

function useLosses({ id: importId }: ChatImport) {
  const orgId = useTab().organisation.id;
  const query = useInfiniteQuery({
    queryKey: resourceKey('imports', orgId, 'losses', importId),
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/chat/imports/:importId/losses', {
        orgId,
        params: { importId },
        ...(pageParam && { query: { cursor: pageParam } }),
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return { ...pagingOf(query), items: query.data?.pages.flatMap(({ items }) => items), isFiltered: false };
}

function Losses({ item }: Props) {
  const { t } = useText();
  const wordsOf = useLossWords();
  const nameOf = useImportName();
  const paths = usePaths();
  const list = useLosses(item);
  return (
    <ListView
      list={list}
      loading={t({ id: 'settings.import.losses.loading', defaultMessage: 'Loading list…' })}
      failed={t({ id: 'settings.import.losses.failed', defaultMessage: 'The list could not be loaded' })}
      empty={
        <p className="p-quiet">{t({ id: 'settings.import.losses.none', defaultMessage: 'Everything is imported.' })}</p>
      }
    >
      {(losses) => (
        <ul className={classes.list} aria-label={nameOf(item)}>
          {losses.map(({ chatTitle, reason, name, conversationId, messageId }, at) => (
            <li key={at} className={classes.loss}>
              <bdi className={classes.name}>
                {conversationId ? (
                  <Link
                    className="p-link"
                    to={
                      messageId
                        ? paths.message(conversationId, messageId)
                        : paths.to('chat/:id', { id: conversationId })
                    }
                  >
                    {chatTitle}
                  </Link>
                ) : (
                  chatTitle || t({ id: 'settings.import.losses.untitled', defaultMessage: 'Chat without a title' })
                )}
              </bdi>
              <span className="p-sm p-quiet">
                {name && !isOfPart(reason) ? (
                  <>
                    <bdi>{name}</bdi> ·{' '}
                  </>
                ) : null}
                {wordsOf({ reason, name })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </ListView>
  );
}
