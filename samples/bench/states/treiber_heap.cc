// steam: expect=none std=c++17 flags=-DTHREADS=2
/* Treiber's stack of heap nodes: threads push results, main takes the whole list at the end. */
#include <atomic>
#include <cassert>
#include <string>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 2
#endif

struct Node {
    std::string text;
    int length;
    Node *next;
};

static std::atomic<Node *> top{nullptr};

static void push(std::string text)
{
    Node *node = new Node{std::move(text), 0, nullptr};
    node->length = static_cast<int>(node->text.size());
    node->next = top.load();
    while (!top.compare_exchange_weak(node->next, node)) {
    }
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < THREADS; i++)
        threads.emplace_back([i] { push("the result of thread " + std::to_string(i)); });
    for (auto &thread : threads)
        thread.join();
    int count = 0;
    for (Node *node = top.exchange(nullptr); node != nullptr; count++) {
        assert(node->length == 22);
        Node *next = node->next;
        delete node;
        node = next;
    }
    assert(count == THREADS);
}
