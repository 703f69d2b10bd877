import { useChatbotNames } from '../../../domain/chatbot/use-chatbot-names.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/billing.module.css';
import type { Spend } from './spend-chart.tsx';
import { SpentCells, useSpentColumns } from './spent-cells.tsx';

/** What each chatbot has cost, the dearest first; nothing where none has answered. */
export function SpendByChatbot({ spend }: { spend: Spend }) {
  const { chatbots, models } = spend;
  const { t } = useText();
  const names = useChatbotNames();
  const columns = useSpentColumns(t({ id: 'billing.byChatbot.chatbot', defaultMessage: 'Chatbot' }), spend.timeZone);
  const title = t({ id: 'billing.byChatbot.title', defaultMessage: 'By chatbot' });
  const all = models.reduce((sum, { costMicros }) => sum + costMicros, 0);
  if (chatbots.length === 0 || !names) return null;
  return (
    <section className={classes.rows} aria-label={title}>
      <h3 className={`p-h3 ${classes.partTitle}`}>{title}</h3>
      <ListTable
        columns={columns}
        items={chatbots.map((row) => ({ id: row.chatbotId, ...row }))}
        cells={(row) => (
          <>
            <td>
              <bdi className={table.name}>
                {names.get(row.chatbotId) ??
                  t({ id: 'billing.byChatbot.gone', defaultMessage: 'A chatbot that is not there any more' })}
              </bdi>
            </td>
            <SpentCells spent={row} of={all} spend={spend} />
          </>
        )}
      />
    </section>
  );
}
