export const faults = [
  {
    breaks: 'A chatbot answers people outside its audience',
    file: './chatbots.service.ts',
    find: '!row?.published || !isFor(row.published.content.audience, principal)',
    put: '!row?.published',
  },
];
