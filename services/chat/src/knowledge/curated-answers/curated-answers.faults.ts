export const faults = [
  {
    breaks: 'A chatbot gives curated answers of another one',
    file: './curated-answers.repository.ts',
    find: '{ ...holding(scope, term), isActive: true, chatbotId: { $in: [chatbotId, null] } }',
    put: '{ ...holding(scope, term), isActive: true }',
  },
];
