// C++ as people write it: virtual functions, containers, algorithms, an exception.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

class Shape {
public:
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual std::string name() const = 0;
};

class Circle : public Shape {
public:
    explicit Circle(double radius) : radius_(radius)
    {
        if (radius < 0)
            throw std::invalid_argument("a circle needs a radius");
    }
    double area() const override { return 3.14159265358979 * radius_ * radius_; }
    std::string name() const override { return "circle"; }

private:
    double radius_;
};

class Square : public Shape {
public:
    explicit Square(double side) : side_(side) {}
    double area() const override { return side_ * side_; }
    std::string name() const override { return "square"; }

private:
    double side_;
};

int main()
{
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Circle>(2));
    shapes.push_back(std::make_unique<Square>(3));
    shapes.push_back(std::make_unique<Circle>(1.5));
    std::sort(shapes.begin(), shapes.end(),
              [](const auto &a, const auto &b) { return a->area() < b->area(); });
    for (const auto &shape : shapes)
        std::cout << shape->name() << " " << std::fixed << std::setprecision(3) << shape->area()
                  << "\n";
    try {
        shapes.push_back(std::make_unique<Circle>(-1));
    } catch (const std::invalid_argument &error) {
        std::cout << "caught: " << error.what() << "\n";
    }
}
