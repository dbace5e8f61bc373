/* SPDX-License-Identifier: BSD-3-Clause
 * A class template with a constructor in line, of which link_box_two.cpp has the only instance. */
#ifndef LINK_BOX_H
#define LINK_BOX_H

template <class T> struct Box {
    T v;
    explicit Box(T x) : v(x) {}
    int size() const;
};

template <class T> int Box<T>::size() const
{
    return (int)v * 2 + (int)sizeof(T);
}

extern template struct Box<int>;

#endif
