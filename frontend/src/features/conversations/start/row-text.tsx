import { ChevronRight } from 'lucide-react';
import classes from './empty-chat.module.css';

/** The text in a row of the empty chat, which is a link or a button. */
export const RowText = ({ title, text }: { title: string; text?: string }) => (
  <>
    <span>
      <b className="p-h3">{title}</b>
      {text === undefined ? null : <span className={`p-sm ${classes.rowText}`}>{text}</span>}
    </span>
    <ChevronRight className="p-mirror" />
  </>
);
