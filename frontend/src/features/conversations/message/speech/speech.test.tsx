import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { Speech } from './index.tsx';

it('shows quoted lines as a quote, and other text as it was typed', () => {
  render(<Speech text={'> The repair cost €4,000.\n>\n> — Report.pdf, Page 2\n\nWho paid?'} isWaiting={false} />);
  const quote = screen.getByText(/The repair cost/);
  expect(quote.tagName).toBe('BLOCKQUOTE');
  expect(quote).toHaveTextContent('The repair cost €4,000. — Report.pdf, Page 2');
  expect(screen.getByText('Who paid?')).toBeInTheDocument();
});
